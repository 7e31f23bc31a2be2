begin;
select plan(3);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
select test.make_passkey(id, '\x01') from actor;
create function pg_temp.options(user_id uuid) returns jsonb language sql
as $$ select private.request_options(row(null, 'login', user_id, null, null, null, '\xfbff', 0, now(), now(), null)::private.factor_challenge, 'example.com') $$;
select is(pg_temp.options(null) - 'timeout',
  '{"rpId": "example.com", "challenge": "-_8", "allowCredentials": [], "userVerification": "required"}', 'any passkey that verifies its user will do');
select is(pg_temp.options(id) #> '{allowCredentials}', private.passkey_descriptors(id), 'of a known user only its own') from actor;
select is(pg_temp.options(id) ->> 'userVerification', 'preferred', 'beside a first factor it need not verify its user') from actor;
select * from finish();
rollback;
