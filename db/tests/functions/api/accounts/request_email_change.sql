begin;
select plan(24);
select test.clean_slate();
select test.set_setting('EMAIL_DELIVERY', '"on"');
select test.make_account('+12025550101');
select test.make_account('+12025550102');
update "user".account set email = 'taken@example.org', email_verified_at = now() where phone = '+12025550102';
create temp table caller on commit drop as select s.session_id, s.user_id from "user".account a, test.open_session(a.id) s where a.phone = '+12025550101';
update "user".session set authenticated_at = now() - interval '1 hour';
create function pg_temp.request(email text, password text default 'correct horse', client text default '192.0.2.1') returns setof api.otp_answer language sql
as $$ select a.* from caller c, api.request_email_change(c.session_id, c.user_id, email, test.prehash(password), client, test.code_key(), '{de}') a $$;

-- Sent, whether or not another account has the address
create temp table answer on commit drop as select p.email, a.* from caller c, (values ('taken@example.org'), ('ada+tag@example.org')) p (email), test.call_as('latchkey_server', format(
  $$api.request_email_change(%L, %L, %L, test.prehash('correct horse'), '192.0.2.1', test.code_key(), '{de}')$$, c.session_id, c.user_id, p.email), null::api.otp_answer) a;
select is((select array_agg((error).code) from answer), array[null, null]::text[], 'a code is sent to an email that another account has verified, and to one that nobody has');
select is((select array_agg(wait_seconds) from answer), array[10.0, 10.0], 'the caller waits for the delivery');
select is((select count(distinct to_jsonb(o) - array['id', 'identifier', 'counted_at', 'created_at', 'expires_at'])::integer from platform.otp_transaction o), 1,
  'both one-time passwords are alike');
select is((select row(o.purpose, o.identifier_type, o.account_id, o.awaited, o.delivery, o.languages)::text from platform.otp_transaction o limit 1),
  (select row('EMAIL_CHANGE', 'EMAIL', user_id, true, 'queued', '{de}'::text[])::text from caller), 'it is bound to the account that asks');
select set_eq('select * from test.queued_payloads()', 'select jsonb_build_object(''otp_id'', id) from platform.otp_transaction', 'a job is queued, which holds only the id');
select is((select jsonb_object_agg(key, totals[cardinality(totals)]) from platform.rate_limit), (select jsonb_build_object('LOGINS_PER_PHONE:' || user_id, 2, 'OTP_SEND_PER_IP:192.0.2.1', 2,
  'OTP_SEND_PER_IDENTIFIER:taken@example.org', 1, 'OTP_SEND_PER_IDENTIFIER:ada@example.org', 1) from caller), 'it counts as a login, for the client, and for the mailbox');
select is((select row(email, email_verified_at)::text from "user".account a join caller c on c.user_id = a.id), '(someone@example.org,)', 'the account keeps its email until the code is typed');

-- Refused
select is((select (error).code || (error).details from pg_temp.request('ada')), 'INVALID_IDENTIFIER{"field": "newEmail"}', 'what is no email is refused');
select is((select (error).code || (error).details from pg_temp.request(null)), 'INVALID_IDENTIFIER{"field": "newEmail"}', 'so is none');
select is((select (error).code || (error).details from pg_temp.request('b@example.org', 'incorrect')), 'INVALID_REQUEST{"reason": "login_refused"}', 'a wrong password is refused as a login is');
select is(test.hits('LOGIN_FAILURES_PER_PHONE:+12025550101'), 1, 'and counts as a failed login');
select is(test.hits('OTP_SEND_PER_IP:192.0.2.1'), 2, 'but not as a send');
select test.set_setting('OTP_SEND_PER_IP', '"2/3600"');
select is((select (error).details ->> 'policy' from pg_temp.request('b@example.org')), 'OTP_SEND_PER_IP', 'a spent limit of sends refuses');
select is((select (error).code from pg_temp.request('b@example.org', client => '192.0.2.9')), null, 'at another client it is not spent');
select is((select (error).code from caller c, api.request_email_change(gen_random_uuid(), c.user_id, 'b@example.org', test.prehash('correct horse'), '192.0.2.2', test.code_key())),
  'SESSION_NOT_FOUND', 'without a session nothing is sent');

-- Without the password
create function pg_temp.request_without(client text default '192.0.2.3') returns text language sql
as $$ select coalesce((a.error).details ->> 'reason', 'sent') from caller c, api.request_email_change(c.session_id, c.user_id, 'c@example.org', null, client, test.code_key()) a $$;
select is(pg_temp.request_without(), 'recent_sign_in_required', 'an hour after signing in the password is needed');
select is(test.hits('LOGIN_FAILURES_PER_PHONE:+12025550101'), 1, 'which counts as no failed login');
select is(test.hits('OTP_SEND_PER_IP:192.0.2.3'), 0, 'and as no send');
update "user".session set authenticated_at = now() - interval '10 minutes';
select is(pg_temp.request_without(), 'recent_sign_in_required', 'ten minutes after, too');
update "user".session set authenticated_at = now() - interval '9 minutes';
select is(pg_temp.request_without(), 'sent', 'before that it is not');
select is(test.hits('OTP_SEND_PER_IP:192.0.2.3'), 1, 'the send is counted');
select is((select (error).details ->> 'reason' from pg_temp.request('c@example.org', 'incorrect', '192.0.2.3')), 'login_refused', 'a wrong password is refused then, too');

-- Off
select test.set_setting('EMAIL_DELIVERY', '"off"');
select is((select (error).details ->> 'reason' from pg_temp.request('c@example.org')), 'not_enabled', 'nothing is sent while EMAIL_DELIVERY is off');
select is((select count(*)::integer from platform.otp_transaction), 4, 'nor stored');

select * from finish();
rollback;
