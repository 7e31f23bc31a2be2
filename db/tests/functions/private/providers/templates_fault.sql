begin;
select plan(15);
create function pg_temp.texts(n integer) returns jsonb language sql
as $$ select jsonb_object_agg('a-' || i, '{{code}}') from generate_series(1, n) i $$;
select is(private.templates_fault('{}'), null, 'no texts are valid');
select is(private.templates_fault(jsonb_build_object(purpose, '{"de": "{{code}}"}'::jsonb)), null, 'there may be texts for ' || purpose)
from unnest(array['LOGIN', 'SIGNUP', 'PASSWORD_RESET', 'PHONE_CHANGE', 'default']) purpose;
select is(private.templates_fault('{"login": {}}'), 'templates may have LOGIN, SIGNUP, PASSWORD_RESET, PHONE_CHANGE, EMAIL_CHANGE, PHONE_CHANGED, PHONE_CHANGE_DUE, EMAIL_CHANGED, FACTORS_CHANGED, INVITATION, default, not login', 'an unknown purpose is refused');
select is(private.templates_fault('{"PHONE_CHANGED": {"de": "Neue Nummer", "default": "New number"}}'), null, 'there may be texts for the notice, without a code');
select is(private.templates_fault('{"PHONE_CHANGED": {"de": "{{code}}"}}'), 'templates.PHONE_CHANGED.de is a notice without a code: it may hold no {{…}}',
  'a text for the notice with a code is refused');
select is(private.templates_fault(jsonb_build_object(repeat('x', 41), '{}'::jsonb)),
  'templates may have LOGIN, SIGNUP, PASSWORD_RESET, PHONE_CHANGE, EMAIL_CHANGE, PHONE_CHANGED, PHONE_CHANGE_DUE, EMAIL_CHANGED, FACTORS_CHANGED, INVITATION, default, not ' || repeat('x', 40), 'a long purpose is cut to 40 characters');
select is(private.templates_fault('[]'), 'templates must be an object: texts by purpose and locale', 'an array is refused');
select is(private.templates_fault('{"LOGIN": "{{code}}"}'), 'templates.LOGIN must be an object: texts by locale', 'a text in place of locales is refused');
select is(private.templates_fault('{"LOGIN": {"de": "{{code}} {{minute}}"}}'), 'templates.LOGIN.de may hold {{code}} and {{minutes}}, not {{minute}}',
  'a fault of a text names its purpose and locale');
select is(private.templates_fault(jsonb_build_object('LOGIN', pg_temp.texts(100), 'default', pg_temp.texts(100))), null, '200 texts are valid');
select is(private.templates_fault(jsonb_build_object('LOGIN', pg_temp.texts(100), 'default', pg_temp.texts(101))),
  'templates must have 200 texts at most', '201 texts are refused');

select * from finish();
rollback;
