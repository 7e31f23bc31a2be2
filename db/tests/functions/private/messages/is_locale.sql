begin;
select plan(12);
select is(private.is_locale(tag), valid, '"' || tag || '" is ' || case when valid then 'a' else 'no' end || ' locale')
from (values
  ('de', true), ('pt-BR', true), ('default', true), ('zh-Hant-CN-x-private1-private2', true), ('abcdefgh-12345678-abcdefgh-abcdefgh', true),
  ('abcdefgh-12345678-abcdefgh-abcdefgh1', false), ('', false), ('de_DE', false), ('1a', false), ('de-', false), ('abcdefghi', false),
  ('de' || chr(10), false)
) t (tag, valid);

select * from finish();
rollback;
