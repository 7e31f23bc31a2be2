begin;
select plan(15);
select test.clean_slate();
select test.set_setting('EMAIL_DELIVERY', '"on"');
select test.make_account('+12025550101');
create temp table caller on commit drop as select s.session_id, s.user_id from "user".account a, test.open_session(a.id) s where a.phone = '+12025550101';
update "user".account set email = 'ada@example.org', email_verified_at = now();
update "user".session set authenticated_at = now() - interval '10 minutes';
create function pg_temp.remove(password text default 'correct horse') returns text language sql
as $$ select coalesce(concat_ws(' ', (a.error).code, (a.error).details ->> 'reason', (a.error).details ->> 'policy'), '') from caller c,
  api.remove_email(c.session_id, c.user_id, test.prehash(password), '192.0.2.1', '{de}') a $$;
create function pg_temp.notices() returns text[] language sql
as $$ select array_agg(o.identifier order by o.identifier) from platform.otp_transaction o where o.purpose = 'EMAIL_CHANGED' $$;

select is(pg_temp.remove('incorrect'), 'INVALID_REQUEST login_refused', 'a wrong password is refused');
select is(test.hits('LOGIN_FAILURES_PER_PHONE:+12025550101'), 1, 'and counts as a failed login');
select is(pg_temp.remove(null), 'INVALID_REQUEST recent_sign_in_required', 'without a password a recent sign-in is needed');
select is((select (a.error).code from caller c, api.remove_email(gen_random_uuid(), c.user_id, test.prehash('correct horse'), '192.0.2.1') a), 'SESSION_NOT_FOUND', 'and a session');
select test.set_setting('EMAIL_DELIVERY', '"off"');
select is(pg_temp.remove(), 'INVALID_REQUEST not_enabled', 'nothing is removed while EMAIL_DELIVERY is off');
select test.set_setting('EMAIL_DELIVERY', '"on"');
select is((select email from "user".account), 'ada@example.org', 'until then nothing has changed');

select is((select to_jsonb(a) from caller c, test.call_as('latchkey_server', format($$api.remove_email(%L, %L, test.prehash('correct horse'), '192.0.2.1', '{de}')$$, c.session_id, c.user_id), null::api.answer) a),
  '{"error": null}', 'the password removes the email');
select is((select row(email, email_verified_at)::text from "user".account), '(,)', 'the account has none');
select is(pg_temp.notices(), array['+12025550101', 'ada@example.org'], 'phone and email are told');
select is((select count(*)::integer from "user".session where revoked_at is not null), 0, 'no session is revoked');
select is(pg_temp.remove(), '', 'an account without an email stays as it is');
select is(cardinality(pg_temp.notices()), 2, 'which tells nobody');
update "user".account set email = 'typed@example.org';
update "user".session set authenticated_at = now();
select is(pg_temp.remove(null), '', 'right after signing in no password is needed');
select is(pg_temp.notices(), array['+12025550101', '+12025550101', 'ada@example.org'], 'an email that nobody had verified is not told');
create or replace function private.admit_login(account "user".account, password_prehash text) returns boolean language plpgsql
as $$ begin perform private.revoke_sessions_of_user(account.id, null); return true; end $$;
select is(pg_temp.remove(), 'SESSION_REVOKED', 'a session that is revoked while the password is compared removes nothing');

select * from finish();
rollback;
