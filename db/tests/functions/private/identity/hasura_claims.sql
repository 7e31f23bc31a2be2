begin;
select plan(20);
select test.clean_slate();
update private.installation set token_issuer = 'https://id.example.org';
create function pg_temp.claims(variables text) returns jsonb language sql
as $$
  select private.hasura_claims(replace(replace(variables, 'USER', '6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01'), 'SESSION', '6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a02')::jsonb)
$$;

select is(pg_temp.claims('{"x-hasura-role": "user", "x-hasura-user-id": "USER", "x-hasura-session-id": "SESSION", "x-hasura-plan": "pro", "other": 1}'),
  '{"sub": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01", "sid": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a02", "role": "user", "user_type": "user", "plan": "pro"}',
  'the variables of a user are claims');
select is(pg_temp.claims('{"x-hasura-role": "guest", "x-hasura-session-id": "SESSION"}'),
  '{"sub": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a02", "sid": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a02", "role": "guest", "user_type": "guest"}',
  'those of a guest have the session as their subject');
select is(pg_temp.claims('{"x-hasura-role": "admin"}'), '{"role": "admin", "user_type": "admin"}', 'those of Hasura''s admin name no session');
select is(pg_temp.claims('{"x-hasura-role": "admin", "x-hasura-user-id": "USER"}') ? 'sub', false, 'nor do they with an id that the admin sends');
select is(pg_temp.claims('{"x-hasura-role": "editor", "x-hasura-user-id": "USER", "x-hasura-session-id": "SESSION"}') -> 'roles', '["editor"]',
  'another role of Hasura is one of the caller''s');
select is(pg_temp.claims('{"x-hasura-role": "editor", "x-hasura-user-id": "USER", "x-hasura-session-id": "SESSION"}') ->> 'user_type', 'user',
  'who is a user');
select is(pg_temp.claims('{"x-hasura-role": "reader", "x-hasura-session-id": "SESSION"}') ->> 'user_type', 'guest', 'or a guest');
select is(pg_temp.claims('{"x-hasura-role": "user", "x-hasura-user-id": "USER", "x-hasura-session-id": "SESSION", "x-hasura-sub": "forged", "x-hasura-sid": "forged", "x-hasura-user_type": "admin"}')
  - 'role', '{"sub": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01", "sid": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a02", "user_type": "user"}',
  'a variable that has the name of a claim of ours does not replace it');

select is(pg_temp.claims('{"x-hasura-role": "user", "x-hasura-user-id": "USER", "x-hasura-session-id": "SESSION", "x-hasura-org-id": "7", "x-hasura-default-role": "user"}')
  - '{sub,sid,role,user_type}'::text[], '{"org_id": "7"}', 'a variable of two words is a claim of two words');
select is(pg_temp.claims('{"x-hasura-role": "editor", "x-hasura-user-id": "USER", "x-hasura-session-id": "SESSION", "x-hasura-roles": "{\"a\",\"b\"}"}') -> 'roles',
  '["a", "b", "editor"]', 'an array of roles is one, and the role of the request joins it');
select is(pg_temp.claims('{"x-hasura-role": "user", "x-hasura-user-id": "USER", "x-hasura-session-id": "SESSION", "x-hasura-seats": "5", "x-hasura-roles": "{\"a\"}",
    "x-hasura-claims": "{\"seats\": 5, \"roles\": [\"a\"], \"sub\": \"forged\", \"user_type\": \"admin\"}"}') - '{sub,sid,role,user_type}'::text[],
  '{"seats": 5, "roles": ["a"]}', 'variables have the types of the hook where the webhook gave them');

select is(pg_temp.claims(variables), null, what || ' is nobody')
from (values
  ('{"x-hasura-role": "user", "x-hasura-session-id": "SESSION"}', 'a user without id'),
  ('{"x-hasura-role": "user", "x-hasura-user-id": "USER"}', 'a user without session'),
  ('{"x-hasura-role": "guest", "x-hasura-user-id": "USER", "x-hasura-session-id": "SESSION"}', 'a guest with a user''s id'),
  ('{"x-hasura-role": "anonymous"}', 'somebody without ids'),
  ('{"x-hasura-role": "user", "x-hasura-user-id": "7", "x-hasura-session-id": "SESSION"}', 'a user whose id is no uuid'),
  ('{"x-hasura-user-id": "USER", "x-hasura-session-id": "7"}', 'somebody without a role and with a session that is no uuid'),
  ('{"X-Hasura-Role": "admin"}', 'an admin in upper case'),
  ('{"x-hasura-role": ["admin"]}', 'a list of roles'),
  ('{}', 'an empty object')
) r (variables, what);
select * from finish();
rollback;
