-- Each kind of refusal, by the calls that the server and the worker make: from the id of the request to what refused it.
begin;
select plan(24);
select test.clean_slate();
create function pg_temp.request(id text) returns text language sql as $$ select set_config('latchkey.request', jsonb_build_object('request_id', request.id)::text, true) $$;
create function pg_temp.told(id text) returns text[] language sql as $$ select array_agg(e.what order by e.at, e.what) from platform.explain_refusal(told.id) e $$;
create function pg_temp.send(phone text default '+12025550101') returns api.otp_answer language sql as
$$ select api.send_otp(send.phone, 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US') $$;
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;

-- Nothing stored
select is(pg_temp.told('unknown'), array['No refusal of this request is stored.'], 'a request of which nothing is stored');
select is(pg_temp.told('not an id'), array['This is no id of a request.'], 'what is no id');
select is(pg_temp.told(null), array['This is no id of a request.'], 'and null');

-- Passwords
select pg_temp.request('login'), api.log_in('+12025550101', test.prehash('wrong'), '192.0.2.1', null, null, null);
select is(pg_temp.told('login'), array['The password was refused: it is wrong, or no account has this phone or email.'], 'a wrong password');
select ok((select e.details like '%; account ' || alice || ', which can be signed in to; client 192.0.2.1' from actor, platform.explain_refusal('login') e),
  'with its account and client');
select pg_temp.request('nobody'), api.log_in('+12025550199', test.prehash('wrong'), '192.0.2.1', null, null, null);
select ok((select e.details like '%; no account' from platform.explain_refusal('nobody') e), 'or that the phone has no account');
select pg_temp.request('right'), api.log_in('+12025550101', test.prehash('correct horse'), '192.0.2.1', null, null, null);
select is(pg_temp.told('right'), array['No refusal of this request is stored.'], 'a right one is no refusal');

-- Limits
select test.set_setting('LOGINS_PER_PHONE', '"1/3600"');
select pg_temp.request('limited'), api.log_in('+12025550101', test.prehash('correct horse'), '192.0.2.1', null, null, null);
select is(pg_temp.told('limited'), array['The limit LOGINS_PER_PHONE was reached: 1 requests in 3600 seconds.', 'LOGINS_PER_PHONE refuses the account''s id now.'],
  'a limit, and that it still refuses');
select ok((select e.details ~ '^it refused until [-0-9]{10} [:0-9]{8} UTC; account ' from platform.explain_refusal('limited') e where e.what like 'The limit%'), 'until when it does');
select pg_temp.request('again'), api.log_in('+12025550101', test.prehash('correct horse'), '192.0.2.1', null, null, null);
select is(pg_temp.told('again'), array['No refusal of this request is stored.'], 'what a limit refuses in the same period is told by the answer''s reasons');
delete from platform.rate_limit;

-- Codes
select test.set_setting('OTP_VERIFY_LIMIT', '"6/3600"');
create temp table code on commit drop as select test.send_code('+12025550101', 'LOGIN') as code;
select pg_temp.request('guess.' || n), api.log_in_by_otp('+12025550101', test.wrong_code(code), test.code_key(), '192.0.2.1', null, null, null, null)
from code, generate_series(1, 5) n;
select is(pg_temp.told('guess.1'), array['The code for LOGIN was wrong, or there was none.', 'OTP_MAX_ATTEMPTS refuses the account''s phone now.'], 'a wrong code, and that the right one is refused now');
select is(pg_temp.told('guess.5'), array[
  'The code for LOGIN was wrong, or there was none.', 'It was the last wrong code that OTP_MAX_ATTEMPTS admits: the right one is refused, too.',
  'OTP_MAX_ATTEMPTS refuses the account''s phone now.'
], 'the last one');
delete from private.guess_count;

-- Messages
create temp table sent on commit drop as select pg_temp.request('send') as request, a.* from pg_temp.send() a;
select test.issue_code(otp_id), test.record_delivery(otp_id, 'refused') from sent;
select is(pg_temp.told('send'), array[
  'No fraud rule objected: the message was queued.', 'console refused to send this message to this recipient (sms).', 'The message with the code for LOGIN was not sent.'
], 'a message that a vendor refused, whose outcome the worker records for the same request');
select is((select count(*)::integer from platform.explain_refusal('send') e join sent s using (otp_id)), 3, 'all of it names the code');
create temp table waited on commit drop as select pg_temp.request('wait') as request, a.* from pg_temp.send() a;
select api.settle_otp_send(otp_id, true) from waited;
select is((pg_temp.told('wait'))[2], 'No vendor confirmed the message with the code for LOGIN in time: its code is void, even if it arrives.', 'a message that nobody sent in time');
select test.set_setting('FRAUD_BUDGET', test.rule('FRAUD_BUDGET', '{"mode": "enforce", "perHour": 1}'));
select pg_temp.send('+12025550198'), pg_temp.request('fraud'), pg_temp.send('+12025550199');
select is(pg_temp.told('fraud'), array['The fraud rule FRAUD_BUDGET refused to send a code for LOGIN.'], 'a fraud rule');

-- Sessions and second factors
create temp table session on commit drop as select o.* from actor, test.open_session(alice) o;
select pg_temp.request('refresh'), api.refresh_session(session_id, gen_random_uuid(), '192.0.2.1', null) from session;
select ok((pg_temp.told('refresh'))[1] like 'A refresh token was used that a newer one had replaced: % The session was revoked.', 'a refresh token that was used before');
select pg_temp.request('factor');
select private.count_factor_failure(alice, private.lock_rate_limits(private.factor_rules(alice))) from actor;
select is(pg_temp.told('factor'), array['The code of a second factor was wrong.'], 'a wrong second factor');
update "user".account set factor_failures = 99;
select private.count_factor_failure(alice, private.lock_rate_limits(private.factor_rules(alice))) from actor;
select ok(pg_temp.told('factor') @> array['The account''s second factors were locked after 100 wrong codes in a row.'], 'which locks them');
select is((select count(*)::integer from platform.explain_refusal('factor') e where e.what = 'The code of a second factor was wrong.'), 2, 'two requests with one id are both told');

-- Bounds, rights, erasure
select private.record_event('otp.refused', null, null, '{"purpose": "LOGIN"}') from generate_series(1, 120);
select is((select count(*)::integer from platform.explain_refusal('factor')), 100, 'at most 100 rows');
select is((select count(*)::integer from platform.event e where not e.data ? 'request_id' and e.type = any (private.refusal_types())), 0, 'every refusal of a request has its id');
select throws_ok($$set local role latchkey_user; select * from platform.explain_refusal('login')$$, '42501', null, 'a user explains nothing');
select private.erase_account(alice) from actor;
select ok((select e.details like '%, which is erased' from platform.explain_refusal('login') e)
  and not exists (select from platform.verify_events()), 'an erasure leaves the refusal without an address, and the chains verify');

select * from finish();
rollback;
