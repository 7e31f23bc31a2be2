begin;
select plan(12);
create function pg_temp.fault(ids jsonb) returns text language sql
as $$ select private.text_ids_fault('x.ids', ids, '^[0-9]{4}$', 'four digits') $$;
create function pg_temp.ids(n integer) returns jsonb language sql
as $$ select jsonb_object_agg('a-' || i, '1234') from generate_series(1, n) i $$;
select is(pg_temp.fault(ids), null, ids::text || ' is valid')
from (values ('{}'::jsonb), ('{"LOGIN": {"de": "1234", "default": "2345"}, "default": {"default": "3456"}, "PHONE_CHANGED": {"pt-BR": "4567"}}')) t (ids);
select is(pg_temp.fault(ids), 'x.ids must be an object of ids by purpose and locale, as texts are in templates', coalesce(ids::text, 'null') || ' is no such object')
from (values ('"1234"'::jsonb), ('[]'), ('{"LOGIN": "1234"}'), (null)) t (ids);
select is(pg_temp.fault('{"login": {}}'), 'x.ids may have LOGIN, SIGNUP, PASSWORD_RESET, PHONE_CHANGE, EMAIL_CHANGE, PHONE_CHANGED, PHONE_CHANGE_DUE, EMAIL_CHANGED, FACTORS_CHANGED, INVITATION, default, not login', 'an unknown purpose is refused');
select is(pg_temp.fault('{"LOGIN": {"de_DE": "1234"}}'), 'x.ids.LOGIN may have language tags such as de or pt-BR, and default, not de_DE', 'what is no locale is refused');
select is(pg_temp.fault(jsonb_build_object('LOGIN', jsonb_build_object('de', id))), 'x.ids.LOGIN.de must be an id such as four digits', id::text || ' is no id')
from (values ('"12345"'::jsonb), ('1234')) t (id);
select is(pg_temp.fault(jsonb_build_object('LOGIN', pg_temp.ids(200))), null, '200 ids are valid');
select is(pg_temp.fault(jsonb_build_object('LOGIN', pg_temp.ids(200), 'SIGNUP', pg_temp.ids(1))), 'x.ids must have 200 ids at most', '201 are refused');

select * from finish();
rollback;
