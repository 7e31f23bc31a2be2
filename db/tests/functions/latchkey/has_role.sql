begin;
select plan(16);
create function pg_temp.claims(changes jsonb) returns jsonb language sql
as $$ select '{"sub": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01", "sid": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a02", "role": "user"}'::jsonb || changes $$;
set local role latchkey_application;
select is(latchkey.has_role('user'), false, 'nobody has no role');
select latchkey.begin_session(pg_temp.claims('{"roles": ["editor", "reader"]}'));
select is(latchkey.has_role(name), has, format('a user with two roles: %s', coalesce(name, 'null')))
from (values ('user', true), ('editor', true), ('reader', true), ('guest', false), ('admin', false), ('Editor', false), ('', false), (null, false)) r (name, has);
select is((select latchkey.has_role('editor') from (select latchkey.begin_session(pg_temp.claims(jsonb_build_object('roles', roles)))) s), false,
  format('claim roles that is %s gives none', roles))
from unnest(array['"editor"', '{"editor": true}', '[["editor"]]', 'null']::jsonb[]) roles;
reset role;
select set_config('latchkey.identity', '', true);
set local role latchkey_application;
select set_config('hasura.user', '{"x-hasura-role": "editor", "x-hasura-user-id": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01", "x-hasura-session-id": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a02"}', true);
select is(latchkey.has_role('editor'), true, 'the role of a request to Hasura is one of the caller''s');
select is(latchkey.has_role('user'), true, 'who is a user');
reset role;
select test.become('latchkey_admin');
select is(latchkey.has_role('admin'), true, 'the admin has the role admin');
select * from finish();
rollback;
