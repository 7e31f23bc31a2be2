begin;
select plan(4);
select test.clean_slate();
create temp table own on commit drop as select (test.open_session(test.make_account('+12025550101'))).session_id as id;
update "user".session set authenticated_at = now() - interval '1 hour';
select is((private.prove_factor(id, array['otp'])).amr, array['pwd', 'otp', 'mfa'], 'the factor stands beside the first step') from own;
select cmp_ok(authenticated_at, '>', now() - interval '1 minute', 'proved now') from "user".session;
select is((private.prove_factor(id, array['otp'])).amr, array['pwd', 'otp', 'mfa'], 'once') from own;
update "user".session set amr = null;
select is((private.prove_factor(id, array['otp'])).amr, array['otp', 'mfa'], 'a session that nobody signed in for has the factor alone') from own;

select * from finish();
rollback;
