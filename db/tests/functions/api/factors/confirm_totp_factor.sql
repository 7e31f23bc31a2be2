begin;
select plan(18);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table own on commit drop as select session_id, user_id from actor, test.open_session(actor.id);

create temp table factor on commit drop as select test.make_factor(id, false) as id from actor;
create function pg_temp.confirm(code text, factor_id uuid default null) returns api.recovery_codes_answer language sql
as $$
  select api.confirm_totp_factor(
    own.session_id, own.user_id, coalesce(confirm.factor_id, factor.id), code, test.code_key(), '192.0.2.1', array['de'], array[factor.id], array[test.totp_secret()]
  ) from own, factor
$$;
select is((select (c.error).code from own, factor, api.confirm_totp_factor(session_id, user_id, factor.id, '123456', test.code_key(), '192.0.2.1') c),
  'FACTOR_SECRETS_REQUIRED', 'the server is asked for the secret first');
select is(((pg_temp.confirm(test.totp(), gen_random_uuid())).error).details ->> 'reason', 'factor_not_found', 'another id is not found');
select is(((pg_temp.confirm(test.wrong_totp())).error).code, 'INVALID_OTP', 'a wrong code is refused');
select is(test.hits('FACTOR_FAILURES_PER_USER:' || id), 1, 'and counted') from actor;
select is(private.has_factor(id), false, 'and confirms nothing') from actor;
update "user".account set factor_failures = 100;
select is(((pg_temp.confirm(test.totp())).error).code, 'MAX_ATTEMPTS_REACHED', 'a hundred wrong ones in a row refuse the right one');
update "user".account set factor_failures = 0;
create temp table done on commit drop as select * from pg_temp.confirm(test.totp());
select is(cardinality(recovery_codes), 10, 'the right code brings recovery codes') from done;
select isnt(confirmed_at, null, 'and confirms the app') from "user".factor;
select isnt(last_step, null, 'whose step is used') from "user".factor;
select is(last_used_at, null, 'which nobody has signed in with yet') from "user".factor;
select is((test.otp('+12025550101', 'FACTORS_CHANGED')).languages, array['de'], 'the phone is told');
select is(private.acr(amr), 'aal2', 'the session is aal2') from "user".session;
select is(((pg_temp.confirm(test.totp())).error).details ->> 'reason', 'factor_not_found', 'a confirmed app does not wait for a code');
update factor set id = test.make_factor(actor.id, false) from actor;
select is((select (c).error is null and (c).recovery_codes is null from pg_temp.confirm(test.totp()) c), true, 'a second app brings no recovery codes');
select is((select count(*)::integer from private.recovery_code), 10, 'and leaves the first ones');
update factor set id = test.make_factor(actor.id, false) from actor;
update "user".session set authenticated_at = now() - interval '1 hour';
select is(((pg_temp.confirm(test.totp())).error).details ->> 'reason', 'step_up_required', 'it needs a recent proof');
select private.revoke_session(session_id) from own;
select is(((pg_temp.confirm(test.totp())).error).code, 'SESSION_REVOKED', 'and a live session');

-- A session that ends while this waits for the account
select test.clean_slate();
create temp table late on commit drop as
  select session_id, user_id, test.make_factor(user_id, false) as factor_id from test.open_session(test.make_account('+12025550101'));
create or replace function private.lock_account(account_id uuid) returns "user".account language plpgsql
as $$ begin update "user".session set revoked_at = clock_timestamp() where revoked_at is null; return null; end $$;
select is((select (c.error).code from late, api.confirm_totp_factor(
  session_id, user_id, factor_id, test.totp(), test.code_key(), '192.0.2.1', '{}', array[factor_id], array[test.totp_secret()]) c), 'SESSION_REVOKED',
  'a session that is revoked meanwhile confirms nothing');

select * from finish();
rollback;
