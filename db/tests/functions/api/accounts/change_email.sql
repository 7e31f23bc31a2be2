begin;
select plan(33);
select test.clean_slate();
select test.set_setting('EMAIL_DELIVERY', '"on"');
select test.make_account('+12025550101');
select test.make_account('+12025550102');
create temp table caller on commit drop as select s.session_id, s.user_id from "user".account a, test.open_session(a.id) s where a.phone = '+12025550101';
create temp table other on commit drop as select s.session_id, s.user_id from "user".account a, test.open_session(a.id) s where a.phone = '+12025550102';
create function pg_temp.send(email text, user_id uuid) returns text language sql as $$ select test.send_code(email, 'EMAIL_CHANGE', user_id) $$;
create function pg_temp.change(email text, otp text, client text default '192.0.2.1') returns text language sql
as $$ select coalesce(concat_ws(' ', (a.error).code, (a.error).details ->> 'reason'), '') from caller c, api.change_email(c.session_id, c.user_id, email, otp, test.code_key(), client, '{de}') a $$;
create function pg_temp.change_other(email text, otp text, client text default '192.0.2.5') returns text language sql
as $$ select coalesce(concat_ws(' ', (a.error).code, (a.error).details ->> 'reason'), '') from other c, api.change_email(c.session_id, c.user_id, email, otp, test.code_key(), client, '{de}') a $$;
create function pg_temp.emails() returns text[] language sql
as $$ select array_agg(concat_ws(' ', a.email, case when a.email_verified_at is not null then 'verified' end) order by a.phone) from "user".account a $$;
create function pg_temp.notices() returns text[] language sql
as $$ select array_agg(o.identifier order by o.identifier) from platform.otp_transaction o where o.purpose = 'EMAIL_CHANGED' $$;

-- A code is for one account, one address and this route
create temp table code on commit drop as
  select (select pg_temp.send('ada@example.org', user_id) from caller) as own, (select pg_temp.send('ada@example.org', user_id) from other) as others;
select is((select pg_temp.change('ada@example.org', case when own = others then test.wrong_code(own) else others end) from code), 'INVALID_OTP', 'a code that another account asked for is a wrong one');
select is((select array_agg(attempts order by account_id = user_id) from platform.otp_transaction, caller), array[0, 1], 'it costs an attempt of the own code, not of the other account''s');
select is((select pg_temp.change('b@example.org', own) from code), 'INVALID_OTP', 'a code for another address is a wrong one');
select is((select pg_temp.change('ada@example.org', test.send_code('ada@example.org', purpose), '192.0.2.8')), 'INVALID_OTP', 'a code of purpose ' || purpose || ' verifies no email')
from unnest(array['LOGIN', 'SIGNUP', 'PASSWORD_RESET']) purpose;
select is((select (a.error).code from code, caller c, api.change_email(gen_random_uuid(), c.user_id, 'ada@example.org', own, test.code_key(), '192.0.2.1') a), 'SESSION_NOT_FOUND', 'without a session no email is verified');
select is(pg_temp.change('ada', '123456'), 'INVALID_IDENTIFIER', 'what is no email is refused');
select is((select pg_temp.change('ada@example.org', '12', '192.0.2.1')), 'INVALID_OTP_FORMAT', 'what is no code is refused');
select test.set_setting('EMAIL_DELIVERY', '"off"');
select is((select pg_temp.change('ada@example.org', own) from code), 'INVALID_REQUEST not_enabled', 'nothing is verified while EMAIL_DELIVERY is off');
select test.set_setting('EMAIL_DELIVERY', '"on"');
select is(pg_temp.emails(), array['someone@example.org', 'someone@example.org'], 'until then nothing has changed');

-- The right code
create temp table answer on commit drop as select a.* from code, caller c, test.call_as('latchkey_server', format(
  $$api.change_email(%L, %L, 'ada@example.org', %L, test.code_key(), '192.0.2.1', '{de}')$$, c.session_id, c.user_id, own), null::api.answer) a;
select is((select to_jsonb(answer) from answer), '{"error": null}', 'the right code verifies the email');
select is(pg_temp.emails(), array['ada@example.org verified', 'someone@example.org'], 'the account has it, verified');
select ok((select a.email_verified_at >= now() and a.updated_at >= now() from "user".account a join caller c on c.user_id = a.id), 'since now');
select is((select count(*)::integer from "user".session where revoked_at is not null), 0, 'no session is revoked');
select is(pg_temp.notices(), array['+12025550101'], 'the phone is told; an email that nobody had verified is not');
select is((select row(o.account_id = c.user_id, o.delivery, o.code_hash, o.languages)::text from caller c, test.otp('+12025550101', 'EMAIL_CHANGED') o), '(t,queued,,{de})', 'the notice has no code');
select is((select pg_temp.change('ada@example.org', own, '192.0.2.2') from code), 'OTP_ALREADY_USED', 'the code verifies nothing again');

-- Another account has verified it
select is((select pg_temp.change_other('ada@example.org', test.wrong_code(others)) from code), 'INVALID_OTP', 'a wrong code does not show that another account has verified the email');
select is((select pg_temp.change_other('ada@example.org', others) from code), 'INVALID_REQUEST already_registered', 'the right code does');
select is((select pg_temp.change_other('ada@example.org', others) from code), 'OTP_ALREADY_USED', 'and is used');
select is(pg_temp.emails(), array['ada@example.org verified', 'someone@example.org'], 'and nothing changes');
select is(pg_temp.notices(), array['+12025550101'], 'nor is anybody told');

-- The next change
delete from platform.otp_transaction where purpose = 'EMAIL_CHANGED';
select is((select pg_temp.change('ada@example.org', pg_temp.send('ada@example.org', user_id), '192.0.2.3') from caller), '', 'the email that the account has may be verified again');
select is(pg_temp.notices(), null, 'which tells nobody');
create temp table logged on commit drop as select test.send_code('ada@example.org', 'LOGIN') as code;
select is((select pg_temp.change('ada.new@example.org', pg_temp.send('ada.new@example.org', user_id), '192.0.2.4') from caller), '', 'a verified email may be changed');
select is(pg_temp.notices(), array['+12025550101', 'ada@example.org'], 'phone and earlier email are told');
select is((select count(*)::integer from platform.otp_transaction where identifier = 'ada@example.org' and purpose = 'LOGIN'), 0, 'other codes for the earlier email are deleted');
select is((select m.body from test.otp('ada@example.org', 'EMAIL_CHANGED') o, test.issue_code(o.id) m), 'The email address of your account was added, changed or removed. If that was not you, contact our support.', 'with our text');
select is((select pg_temp.change_other('ada@example.org', pg_temp.send('ada@example.org', user_id), '192.0.2.6') from other), '', 'the earlier email is free for another account');

-- A session that ended meanwhile
create temp table late on commit drop as select pg_temp.send('late@example.org', user_id) as code from caller;
select private.revoke_session(session_id) from caller;
select is((select pg_temp.change('late@example.org', code, '192.0.2.7') from late), 'SESSION_REVOKED', 'a revoked session verifies no email');
create temp table later on commit drop as select pg_temp.send('later@example.org', user_id) as code from other;
create or replace function private.replace_email(session_id uuid, user_id uuid, new_email text, languages text[], client text) returns api.error language sql
as $$ select private.error('SESSION_REVOKED') $$;
select is((select pg_temp.change_other('later@example.org', code, '192.0.2.9') from later), 'SESSION_REVOKED', 'nor does one that is revoked after the code was compared');
select is((test.otp('later@example.org', 'EMAIL_CHANGE')).verified_at, null, 'and its code is not used');

select * from finish();
rollback;
