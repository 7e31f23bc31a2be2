-- What keeps a code from being sent: fraud rules, numbers, REGISTRATION, channels and proofs
begin;
select plan(39);
select test.clean_slate();

-- Fraud rules
create function pg_temp.send(phone text, client text default '192.0.2.1') returns text language sql as $$
  select coalesce((error).details ->> 'policy', 'ok') from api.send_otp(phone, 'PHONE', 'LOGIN', client, test.code_key(), 'US') $$;
select is(pg_temp.send('+12025550101'), 'ok', 'no rule objects to a first send');
select is((select row(verdict, rule, prefix, country, client, purpose, otp_id, at)::text from platform.send_decision),
  (select row('allowed', null, '+12025', 'US', '192.0.2.1', 'LOGIN', id, counted_at)::text from platform.otp_transaction),
  'a decision is stored with the one-time password, at the moment of the limits');
select is(test.count('country:US', 'hour', now()), '1 0', 'the send is counted');
select api.send_otp('someone@example.org', 'EMAIL', 'LOGIN', '192.0.2.1', test.code_key(), null);
select test.set_setting('EMAIL_DELIVERY', '"on"');
select api.send_otp('someone@example.org', 'EMAIL', 'LOGIN', '192.0.2.1', test.code_key(), null);
select is((select count(*)::integer from platform.send_decision), 1, 'a code for an email address is no SMS, stored or sent');
select test.set_setting('FRAUD_COUNTRY', test.rule('FRAUD_COUNTRY', '{"mode": "record", "minimum": 1}'));
select is(pg_temp.send('+12025550102'), 'ok', 'a rule that records refuses nothing');
select is((select row(verdict, rule, otp_id is not null)::text from platform.send_decision order by at desc limit 1), '(recorded,FRAUD_COUNTRY,t)',
  'a rule that records is recorded');
select test.set_setting('FRAUD_COUNTRY', test.rule('FRAUD_COUNTRY', '{"mode": "enforce", "minimum": 1}'));
select is(pg_temp.send('+12025550103'), 'FRAUD_COUNTRY', 'a rule that is enforced refuses');
select is((select row(verdict, rule, otp_id)::text from platform.send_decision order by at desc limit 1), '(refused,FRAUD_COUNTRY,)',
  'a refusal is stored');
select is_empty($$select from platform.otp_transaction where identifier = '+12025550103'$$, 'nothing is queued');
select is(test.count('country:US', 'hour', now()), '2 0', 'a refused send is not counted as a send');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550103'), 0, 'a refused send is given back to the phone');
select is(test.hits('OTP_SEND_PER_IP:192.0.2.1'), 5, 'a refused send stays counted for the client');
insert into private.known_client select test.make_account('+12025550104'), '192.0.2.1', now();
select is(array[pg_temp.send('+12025550104'), pg_temp.send('+12025550104', '192.0.2.2'), pg_temp.send('+12025550105', '192.0.2.2')],
  array['ok', 'FRAUD_COUNTRY', 'FRAUD_COUNTRY'], 'the client that the account signed in from may send; others learn nothing about the account');

-- A number that no numbering plan has
select test.clean_slate();
select test.make_account('+22922212345');
create function pg_temp.send_invalid(phone text, purpose text) returns jsonb language sql
as $$ select to_jsonb(api.send_otp(phone, 'PHONE', purpose, '192.0.2.1', test.code_key(), '001', number_type => 'INVALID')) $$;
select is(pg_temp.send_invalid('+10005550101', 'SIGNUP') #> '{error}', '{"code": "INVALID_IDENTIFIER", "details": {"field": "input.identifier"}}', 'a phone that cannot exist gets no first code');
select is((select count(*)::integer from platform.otp_transaction), 0, 'and nothing is stored');
select is(test.hits('OTP_SEND_PER_IP:192.0.2.1'), 1, 'but the client is counted: it cannot try many');
select is(pg_temp.send_invalid('+22922212345', 'LOGIN') #>> '{error,code}', null, 'an account gets its code, whatever today''s plans say of its phone');
select is((select identifier from platform.otp_transaction), '+22922212345', 'at the number that it has');

update "user".account set disabled_at = now(), disabled_reason = 'test';
select is(pg_temp.send_invalid('+22922212345', 'SIGNUP') #>> '{error,code}', 'INVALID_IDENTIFIER', 'a disabled account is answered as none');

-- The type of the number
select test.clean_slate();
select is(((api.send_otp('+19002345678', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US', number_type => 'PREMIUM_RATE')).error).code, null, 'out of the box a premium-rate number is only recorded');
select is((select verdict || ' ' || rule || ' ' || number_type from platform.send_decision), 'recorded FRAUD_NUMBER_TYPES PREMIUM_RATE', 'with its type');
select test.set_setting('FRAUD_NUMBER_TYPES', test.rule('FRAUD_NUMBER_TYPES', '{"mode": "enforce"}'));
select is(((api.send_otp('+19002345679', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US', number_type => 'PREMIUM_RATE')).error).details ->> 'policy', 'FRAUD_NUMBER_TYPES', 'the rule refuses it once it is enforced');

-- REGISTRATION
select test.clean_slate();
select test.set_setting('REGISTRATION', '"invited"');
select test.make_account('+12025550181');
select "user".invite('+12025550182');
create temp table withheld on commit drop as
  select purpose, a.* from unnest(array['LOGIN', 'SIGNUP']) purpose, api.send_otp('+12025550183', 'PHONE', purpose, '192.0.2.1', test.code_key(), 'US') a;
select is((select array_agg(row((error).code, otp_id is not null, expires_at is not null, wait_seconds is not null)::text) from withheld),
  array_fill('(,t,t,t)'::text, array[2]), 'a code that would open nothing is answered as one that is sent');
select is((select array_agg(distinct delivery) from platform.otp_transaction), array['withheld'], 'and none is');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550183') || ' ' || test.hits('OTP_SEND_PER_IP:192.0.2.1'), '2 2', 'it counts as a send');
select is((select array_agg(verdict) from platform.send_decision), array['allowed', 'allowed'], 'also for the fraud rules');
select api.send_otp(phone, 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US') from unnest(array['+12025550181', '+12025550182']) phone;
select is((select array_agg(delivery) from platform.otp_transaction where identifier in ('+12025550181', '+12025550182')), array['queued', 'queued'],
  'a phone with an account, and an invited one, are sent to');
select test.set_setting('REGISTRATION', '"closed"');
select is((api.send_otp('+12025550182', 'PHONE', 'SIGNUP', '192.0.2.1', test.code_key(), 'US')).error::text,
  '(INVALID_REQUEST,"{""reason"": ""not_enabled""}")', 'closed: there is no SIGNUP code');
select is((api.send_otp('+12025550184', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US')).error, null, 'closed: LOGIN is answered alike');
select is((test.otp('+12025550184', 'LOGIN')).delivery, 'withheld', 'and nothing is sent to a phone without an account');

-- A channel, and a proof
drop function if exists hook.before_send;
select test.clean_slate();
create function pg_temp.ask(channel text default null, proof text default null, good boolean default null, phone text default '+12025550191')
returns api.otp_answer language sql as $$
  select api.send_otp(phone, 'PHONE', 'LOGIN', '192.0.2.91', test.code_key(), 'US', channel => channel,
    proof_digest => sha256(proof::bytea), proof_is_good => good)
$$;
select is((pg_temp.ask('voice')).error.details ->> 'reason', 'channel_not_allowed', 'a channel that OTP_CHANNELS has not is refused');
select is(test.hits('OTP_SEND_PER_IP:192.0.2.91'), 0, 'and counts against nothing');
select test.set_setting('OTP_CHANNELS', '["voice"]');
select pg_temp.ask('voice');
select is((test.otp('+12025550191', 'LOGIN')).channel, 'voice', 'one that it has is stored with the one-time password');
select test.set_setting('SEND_PROOF', '"all"');
select is((pg_temp.ask(phone => '+12025550192')).error.code, 'PROOF_REQUIRED', 'the server is asked for a proof');
select is((select count(*)::integer from platform.otp_transaction where identifier = '+12025550192'), 0, 'and nothing is sent');
select is((pg_temp.ask(proof => 'p', good => true, phone => '+12025550192')).error, null, 'with a good one a code is');
select is((pg_temp.ask(proof => 'p', good => true, phone => '+12025550193')).error.code, 'PROOF_REQUIRED', 'once');
select is(test.hits('OTP_SEND_PER_IP:192.0.2.91'), 2, 'a request without a proof counts as no send');
select test.set_setting('OTP_TEST_NUMBERS', '{"+12025550194": {"code": "424242", "until": "2099-01-31T00:00:00Z"}}');
select is((pg_temp.ask(phone => '+12025550194')).error, null, 'a test number needs none: nothing is sent to it');

select * from finish();
rollback;
