begin;
select plan(18);
create function pg_temp.fault(variadic tags text[]) returns text language sql
as $$ select private.locales_fault('name', coalesce(jsonb_object_agg(t, '{{code}}'), '{}')) from unnest(tags) t $$;
select is(pg_temp.fault(tag), null, tag || ' is a valid locale')
from unnest(array['de', 'pt-BR', 'zh-Hant-TW', 'default', 'DE', 'i-klingon', 'abcdefgh-12345678-abcdefgh-abcdefgh', 'zh-Hant-CN-x-private1-private2']) tag;
select is(pg_temp.fault(tag), format('name may have language tags such as de or pt-BR, and default, not %s', left(tag, 40)), '"' || tag || '" is not a valid locale')
from unnest(array['', 'de_DE', '1a', 'de-', 'abcdefghi', 'abcdefgh-abcdefgh-abcdefgh-abcdefgh1', 'abcdefgh-abcdefgh-abcdefgh-abcdef-ab']) tag;
select is(pg_temp.fault('de', 'DE'), 'name has a locale twice: upper and lower case are the same', 'a locale cannot be given twice');
select is(private.locales_fault('name', '{"de": "{{code}}", "en": "Hello"}'), 'name.en must be a text that holds {{code}}',
  'a fault of a text names its locale');

select is(pg_temp.fault(repeat('x', 41)), 'name may have language tags such as de or pt-BR, and default, not ' || repeat('x', 40), 'a long one is cut to 40 characters');

select * from finish();
rollback;
