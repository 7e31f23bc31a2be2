begin;
select plan(6);
update private.installation set token_issuer = 'https://id.example.org';
create function pg_temp.claims(changes jsonb) returns jsonb language sql
as $$ select '{"sub": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01", "sid": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a02", "role": "user", "user_type": "user"}'::jsonb || changes $$;
create function pg_temp.token(changes jsonb) returns jsonb language sql
as $$ select pg_temp.claims('{"iss": "https://id.example.org", "token_use": "access", "exp": 9999999999}') || changes $$;
set local role latchkey_application;
select is(latchkey.claims(), null, 'nobody has no claims');
select latchkey.begin_session(pg_temp.claims('{"plan": "pro", "amr": ["otp"]}'));
select is(latchkey.claims(), pg_temp.claims('{"plan": "pro", "amr": ["otp"]}'), 'all claims of a token are there');
select latchkey.begin_session(null);
select is(latchkey.claims(), null, 'nobody has none after another caller');
reset role;
select test.become('latchkey_user', '6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01', '6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a02');
select is(latchkey.claims(), pg_temp.claims('{}'), 'a user of GraphQL has them, too');
reset role;
select set_config('latchkey.identity', '', true);
set local role latchkey_application;
select set_config('request.jwt.claims', pg_temp.token('{"seats": 5}')::text, true);
select is(latchkey.claims(), pg_temp.token('{"seats": 5}'), 'PostgREST''s token has them');
select set_config('request.jwt.claims', '', true);
select set_config('hasura.user', '{"x-hasura-role": "user", "x-hasura-user-id": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01", "x-hasura-session-id": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a02", "x-hasura-plan": "pro"}', true);
select is(latchkey.claims(), pg_temp.claims('{"plan": "pro"}'), 'Hasura''s variables are claims');
select * from finish();
rollback;
