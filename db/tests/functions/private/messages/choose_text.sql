begin;
select plan(7);
create function pg_temp.chosen(purpose text, languages text[]) returns text language sql
as $$
  select private.choose_text('{
    "LOGIN": {"de": "login de", "default": "login default"}, "PHONE_CHANGED": {"de": "changed de"}, "default": {"fr": "any fr", "default": "any default"}
  }', purpose, languages)
$$;
select is(pg_temp.chosen(purpose, languages), chosen, what)
from (values
  ('LOGIN', '{de}'::text[], 'login de', 'a text is chosen by purpose and language'),
  ('LOGIN', '{fr}', 'login default', 'the purpose''s default counts before the texts for every purpose'),
  ('SIGNUP', '{fr}', 'any fr', 'a purpose without texts gets those for every purpose'),
  (null, '{}', 'any default', 'no purpose too'),
  ('PHONE_CHANGED', '{de}', 'changed de', 'a notice gets its own text'),
  ('PHONE_CHANGED', '{fr}', null, 'and never one for every purpose, which holds a code')
) t (purpose, languages, chosen, what);
select is(private.choose_text(null, 'LOGIN', '{de}'), null, 'without texts there is none');

select * from finish();
rollback;
