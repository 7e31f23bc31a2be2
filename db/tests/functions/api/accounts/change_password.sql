begin;
select plan(35);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_account('+12025550102');
create temp table own on commit drop as select s.* from "user".account a, generate_series(1, 2) n, test.open_session(case when n > 0 then a.id end) s
  where a.phone = '+12025550101';
create temp table caller on commit drop as select session_id, user_id from own limit 1;
select test.open_session(a.id) from "user".account a where a.phone = '+12025550102';
create function pg_temp.change(current text, new text default 'new password', length integer default 12, common boolean default false, client text default '192.0.2.1')
returns setof api.answer language sql
as $$ select a.* from caller c, api.change_password(c.session_id, c.user_id, test.prehash(current), test.prehash(new), length, common, client) a $$;
create function pg_temp.has(password text) returns boolean language sql
as $$ select a.password_hash = crypto.crypt(test.prehash(password), a.password_hash) from "user".account a where a.phone = '+12025550101' $$;

-- Refused
select is((select (error).code || (error).details from pg_temp.change('correct horse', length => 7)),
  'INVALID_REQUEST{"field": "newPassword", "reason": "too_short", "minimum": 8}', 'a new password against the rules is refused');
select is((select (error).code || (error).details from pg_temp.change('incorrect')), 'INVALID_REQUEST{"reason": "login_refused"}',
  'a wrong current password is refused as a login is');
select is((select jsonb_object_agg(key, totals[cardinality(totals)]) from platform.rate_limit), '{
  "LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.1": 1, "LOGIN_FAILURES_PER_PHONE:+12025550101": 1, "LOGIN_FAILURES_PER_IP:192.0.2.1": 1
}', 'a wrong current password counts as a failed login, not as a change');
select ok(pg_temp.has('correct horse'), 'and changes nothing');
select is((select count(*)::integer from "user".session where revoked_at is not null), 0, 'and revokes nothing');
select is((select (error).code || (error).details from caller c, api.change_password(c.session_id, c.user_id, null, test.prehash('new password'), 12, false, '192.0.2.1')),
  'INVALID_REQUEST{"reason": "login_refused"}', 'an account with a password has to name it');
select is((select (error).code from caller c, api.change_password(gen_random_uuid(), c.user_id, test.prehash('correct horse'), test.prehash('n'), 12, false, '192.0.2.1')),
  'SESSION_NOT_FOUND', 'without a session nothing is changed');
select is((select (a.error).code from caller c, "user".account o, api.change_password(c.session_id, o.id, test.prehash('correct horse'), test.prehash('n'), 12, false, '192.0.2.1') a
  where o.phone = '+12025550102'), 'SESSION_NOT_FOUND', 'another user''s session changes nothing');
delete from platform.rate_limit;

-- Changed
create temp table answer on commit drop as select a.* from caller c, test.call_as('latchkey_server', format(
  $$api.change_password(%L, %L, test.prehash('correct horse'), test.prehash('new password'), 12, false, '192.0.2.1')$$, c.session_id, c.user_id), null::api.answer) a;
select is((select to_jsonb(answer) from answer), '{"error": null}', 'the right current password changes the password');
select ok(pg_temp.has('new password'), 'the new password is stored');
select is((select s.revoked_at from "user".session s join caller c on c.session_id = s.id), null, 'the session of the request stays live');
select is((select count(*)::integer from "user".session s join own o on o.session_id = s.id where s.revoked_at is not null), 1, 'every other session of the user is revoked');
select is((select count(*)::integer from "user".session s where s.revoked_at is not null), 1, 'no session of another user is revoked');
select ok((select updated_at > created_at from "user".account where phone = '+12025550101'), 'updated_at is set');
select is((select jsonb_object_agg(split_part(key, ':', 1), totals[cardinality(totals)]) from platform.rate_limit), '{"PASSWORD_CHANGES_PER_USER": 1}',
  'a change counts against PASSWORD_CHANGES_PER_USER only');
select ok((select crypto.crypt(test.prehash('correct horse'), password_hash) = password_hash from "user".account where phone = '+12025550102'),
  'another account''s password stays');

-- Limits
select test.insert_hits('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.2', variadic array_fill(clock_timestamp(), array[10]));
select test.watch_bcrypt();
select is((select (error).details ->> 'policy' from pg_temp.change('new password', client => '192.0.2.2')), 'LOGIN_FAILURES_PER_PHONE_AND_IP',
  'a spent limit of failed logins refuses the right password too');
select is(test.bcrypt_rounds(), 0::bigint, 'without bcrypt');
select is((select (error).code from pg_temp.change('incorrect', client => '192.0.2.3')), 'INVALID_REQUEST', 'from another address the password is compared');
select is(test.bcrypt_rounds(), 16::bigint, 'a wrong password from there takes the work of a failed login');
select test.set_setting('PASSWORD_CHANGES_PER_USER', '"1/3600"');
select is((select (error).details ->> 'policy' from pg_temp.change('new password', client => '192.0.2.3')), 'PASSWORD_CHANGES_PER_USER',
  'a spent PASSWORD_CHANGES_PER_USER refuses another change');
select is(test.bcrypt_rounds(), 0::bigint, 'without bcrypt');
select test.set_setting('PASSWORD_CHANGES_PER_USER', '"off"');

-- The first password
update "user".account set password_hash = null where phone = '+12025550101';
select is((select (error).code || (error).details from pg_temp.change('new password', client => '192.0.2.4')), 'INVALID_REQUEST{"reason": "login_refused"}',
  'for an account without a password every current password is wrong');
update "user".session set authenticated_at = clock_timestamp() - interval '10 minutes';
create function pg_temp.first() returns setof api.answer language sql
as $$ select a.* from caller c, api.change_password(c.session_id, c.user_id, null, test.prehash('first password'), 14, false, '192.0.2.1') a $$;
select is((select (error).code || (error).details from pg_temp.first()), 'INVALID_REQUEST{"reason": "recent_sign_in_required"}',
  'ten minutes after signing in a first password is refused');
select is((select password_hash from "user".account where phone = '+12025550101'), null, 'a refused first password is not stored');
update "user".session set authenticated_at = clock_timestamp() - interval '9 minutes 50 seconds';
select is((select (error).code from pg_temp.first()), null, 'less than ten minutes after signing in a first password is set without a current one');
select ok(pg_temp.has('first password'), 'and stored');
select is((select (error).code || (error).details from pg_temp.first()), 'INVALID_REQUEST{"reason": "login_refused"}', 'a second first password is refused');
select private.revoke_session(session_id) from caller;
select is((select (error).code from pg_temp.change('first password')), 'SESSION_REVOKED', 'a revoked session changes nothing');

-- An imported password
select test.clean_slate();
create temp table imported on commit drop as select s.session_id, s.user_id from test.import_account('+12025550105', 'its parameters') i (id), test.open_session(i.id) s;
create function pg_temp.change_imported(foreign_prehash text default null) returns text language sql
as $$ select (error).code from imported c, api.change_password(c.session_id, c.user_id, test.prehash('correct horse'), test.prehash('new password'), 12, false, '192.0.2.1', foreign_prehash) $$;
select is(pg_temp.change_imported(), 'FOREIGN_PREHASH_REQUIRED', 'an imported hash needs its own pre-hash');
select is(pg_temp.change_imported(test.foreign_prehash('correct horse')), null, 'with that pre-hash the password is changed');
select ok((select foreign_parameters is null and password_hash = crypto.crypt(test.prehash('new password'), password_hash) from "user".account), 'the new password is stored as a native hash');

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
select is((select (c.error).details ->> 'reason'
  from losing, api.change_password(session_id, user_id, test.prehash('incorrect'), test.prehash('new password'), 12, false, '192.0.2.1') c),
  'login_refused', 'an account that loses its phone after its session was checked is refused, without an internal error');

-- While a wide limit is spent, from an address that another account's user made known
select test.clean_slate();
drop table caller;
create temp table caller on commit drop as select s.session_id, s.user_id from test.make_account('+12025550101') a (id), test.open_session(a.id) s;
select private.remember_client(test.make_account('+12025550102'), '192.0.2.50');
select test.insert_hits('LOGIN_FAILURES_PER_IP:192.0.2.50', variadic array_fill(clock_timestamp(), array[100]));
create function pg_temp.refusal(current text) returns text language plpgsql
as $$
declare
  v_policy text;
begin
  perform test.bcrypt_rounds();
  v_policy := (select (error).details ->> 'policy' from pg_temp.change(current, client => '192.0.2.50'));
  return v_policy || ' after ' || test.bcrypt_rounds();
end
$$;
select is(pg_temp.refusal('correct horse'), 'LOGIN_FAILURES_PER_IP after 16', 'the right password is refused after its comparison alone');
select is(pg_temp.refusal('incorrect'), 'LOGIN_FAILURES_PER_IP after 16', 'and takes the work of a wrong one');

select * from finish();
rollback;
