begin;
select plan(24);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table caller on commit drop as select session_id, user_id from actor, test.open_session(actor.id) limit 0;
create function pg_temp.renew() returns void language sql
as $$
  update "user".account set deletion_due_at = null;
  delete from caller;
  insert into caller select session_id, user_id from actor, test.open_session(actor.id);
$$;
create function pg_temp.delete(password text, otp text, client text default '192.0.2.1') returns setof api.deletion_answer language sql
as $$ select d.* from caller, api.delete_account(session_id, user_id, test.prehash(password), otp, test.code_key(), client) d $$;

-- By password
select pg_temp.renew();
select is((select (error).details ->> 'reason' from pg_temp.delete('wrong', null)), 'login_refused', 'a wrong password is refused');
select is(test.hits('LOGIN_FAILURES_PER_PHONE:+12025550101'), 1, 'a wrong password counts as a failed login');
select is((select deletion_due_at from "user".account), null, 'a wrong password deletes nothing');
select is((select count(*)::integer from "user".session where revoked_at is null), 1, 'a wrong password revokes nothing');
create temp table deleted on commit drop as
  select d.* from caller, test.call_as('latchkey_server',
    format($$api.delete_account(%L, %L, test.prehash('correct horse'), null, null, '192.0.2.1')$$, session_id, user_id), null::api.deletion_answer) d;
select is((select (error).code from deleted), null, 'the right password deletes the account');
select is((select a.deletion_due_at from "user".account a), (select deletion_due_at from deleted), 'the answer says when it is due');
select is((select count(*)::integer from "user".session where revoked_at is null), 0, 'every session is revoked');
select is((select (error).code from pg_temp.delete('correct horse', null)), 'SESSION_REVOKED', 'a revoked caller is refused');
select is((select restored from api.log_in('+12025550101', test.prehash('correct horse'), '192.0.2.1', null, null, null)), true,
  'a login restores the account');

-- By code
select pg_temp.renew();
create temp table code on commit drop as select test.send_code('+12025550101', 'LOGIN') as code;
select is((select (d.error).code from code, pg_temp.delete(null, test.wrong_code(code)) d), 'INVALID_OTP', 'a wrong code is refused');
select is((test.otp('+12025550101', 'LOGIN')).attempts, 1, 'a wrong code counts as a guess');
select is((select count(*)::integer from "user".session where revoked_at is null), 2, 'a wrong code revokes nothing');
select is((select (d.error).code from code, pg_temp.delete(null, code) d), null, 'the right code deletes the account');
select isnt((select deletion_due_at from "user".account), null, 'its deletion has a time');
select isnt((test.otp('+12025550101', 'LOGIN')).verified_at, null, 'the code is used');
select is((select count(*)::integer from "user".session where revoked_at is null), 0, 'every session is revoked by a code too');
select pg_temp.renew();
select is((select (d.error).code from code, pg_temp.delete(null, code) d), 'OTP_ALREADY_USED', 'a code deletes once');
create temp table signup on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select (d.error).code from signup, pg_temp.delete(null, code) d), 'INVALID_OTP', 'a code of another purpose is refused');
select is((select (d.error).code from actor, caller, api.delete_account(session_id, gen_random_uuid(), test.prehash('correct horse'), null, null, 'x') d),
  'SESSION_NOT_FOUND', 'the session must be the user''s');

-- A session that is revoked during the comparison. The replaced comparison takes the place of a reset's connection.
create or replace function private.compare_password(password_prehash text, password_hash text) returns boolean language plpgsql
as $$ begin update "user".session set revoked_at = clock_timestamp() where revoked_at is null; return true; end $$;
select is((select (error).code from pg_temp.delete('correct horse', null)), 'SESSION_REVOKED',
  'a session that is revoked meanwhile deletes nothing');
select is((select deletion_due_at from "user".account), null, 'an account whose session was revoked meanwhile stays');
-- And one that is revoked while this waits for the account
select pg_temp.renew();
create temp table late on commit drop as select test.send_code('+12025550101', 'LOGIN') as code;
create or replace function private.lock_account(account_id uuid) returns "user".account language plpgsql
as $$ begin update "user".session set revoked_at = clock_timestamp() where revoked_at is null; return null; end $$;
select is((select (d.error).code from late, pg_temp.delete(null, code) d), 'SESSION_REVOKED',
  'a session that is revoked before the account is locked deletes nothing');
select is((select deletion_due_at from "user".account), null, 'an account whose session was revoked before the lock stays');

-- Somebody who has just proved to hold a recycled phone takes it meanwhile
select test.clean_slate();
create temp table losing on commit drop as select s.session_id, s.user_id from test.make_account('+12025550101') a (id), test.open_session(a.id) s;
create or replace function private.caller_error(session_id uuid, user_id uuid) returns api.error language plpgsql
as $$
begin
  update "user".account a set phone = null where a.id = caller_error.user_id and a.phone is not null;
  return null;
end
$$;
select is((select (d.error).code from losing, api.delete_account(session_id, user_id, test.prehash('correct horse'), null, null, '192.0.2.1') d),
  'INVALID_REQUEST', 'an account that loses its phone after its session was checked is refused, without an internal error');

select * from finish();
rollback;
