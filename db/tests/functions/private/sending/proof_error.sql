begin;
select plan(23);
select test.clean_slate();
create function pg_temp.error(proof text default null, good boolean default null, type text default 'PHONE', client text default '192.0.2.1') returns jsonb language sql as $$
  select jsonb_build_object('code', e.code) || e.details from private.proof_error(
    test.send_request(case type when 'EMAIL' then 'ada@example.com' else '+12025550101' end, type, client => client, counted_at => null),
    array[private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', '+12025550101')], sha256(proof::bytea), good) e where e.code is not null
$$;
select is(pg_temp.error(), null, 'off: none is needed');
select is(pg_temp.error('p', false), null, 'nor is one looked at');
select test.set_setting('SEND_PROOF', '"all"');
select is(pg_temp.error(), '{"code": "PROOF_REQUIRED", "provider": "turnstile", "may_verify": true, "accept_on_failure": false}', 'all: the server is asked for one');
select is(pg_temp.error(type => 'EMAIL') ->> 'code', 'PROOF_REQUIRED', 'also of an email');
select is(pg_temp.error('p') ->> 'may_verify', 'true', 'a proof that nobody has verified is not taken');
select is(pg_temp.error('p', true), null, 'a good one is taken');
select is(pg_temp.error('p', true) ->> 'may_verify', 'false', 'once: the second time the client is told');
select is(pg_temp.error('q', false) ->> 'may_verify', 'false', 'a bad one is not asked for again');
select is((select count(*)::integer from private.used_proof), 1, 'and not remembered');
select is(test.hits('SEND_PROOF_FAILURES_PER_IP:192.0.2.1'), 1, 'it counts for the client');
select test.set_setting('SEND_PROOF_FAILURES_PER_IP', '"1/900"');
select is(pg_temp.error() ->> 'may_verify', 'false', 'a client with too many bad ones costs no verification');
select is(pg_temp.error(client => '192.0.2.2') ->> 'may_verify', 'true', 'another client is not affected');
select test.set_setting('SEND_PROOF_PROVIDER', '"hcaptcha"'), test.set_setting('SEND_PROOF_ON_FAILURE', '"accept"');
select is(pg_temp.error(client => '192.0.2.2'), '{"code": "PROOF_REQUIRED", "provider": "hcaptcha", "may_verify": true, "accept_on_failure": true}', 'the settings say whose, and what a failure is worth');
select test.insert_hits('OTP_SEND_PER_IDENTIFIER:+12025550101', now()) from generate_series(1, 1);
select test.set_setting('OTP_SEND_PER_IDENTIFIER', '"1/3600"');
select is(pg_temp.error(client => '192.0.2.2'), null, 'a request over a limit costs no verification: the limit refuses it');
select is(pg_temp.error('r', true, client => '192.0.2.2'), null, 'and takes no proof');
select is((select count(*)::integer from private.used_proof), 1, 'so that it is good for the next one');

select test.clean_slate();
select test.set_setting('SEND_PROOF', '"suspicious"');
select is(pg_temp.error(), null, 'suspicious: none is needed while no rule objects');
select test.set_setting('FRAUD_COUNTRY', '{"mode": "record", "exempt": [], "minimum": 1, "factor": 0}');
select private.count_send(test.make_decision('{}'), 1, 0);
select is((private.decide_send(test.send_request('+12025550101'))).verdict, 'recorded', 'a rule in mode record objects');
select is(pg_temp.error() ->> 'code', 'PROOF_REQUIRED', 'then one is needed');
select is(pg_temp.error(type => 'EMAIL'), null, 'not of an email, which no rule judges');
select is(pg_temp.error('s', true), null, 'with it the send goes on');
select test.set_setting('FRAUD_COUNTRY', '{"mode": "enforce", "exempt": [], "minimum": 1, "factor": 0}');
select is((private.decide_send(test.send_request('+12025550101'))).verdict, 'refused', 'a rule in mode enforce refuses');
select is(pg_temp.error(), null, 'whatever proof there is: none is asked for');
select * from finish();
rollback;
