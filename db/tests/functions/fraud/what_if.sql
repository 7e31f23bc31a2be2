begin;
select plan(16);
select test.clean_slate();
create temp table made on commit drop as
select (test.make_decision(changes::jsonb || jsonb_build_object('at', '2026-03-04T10:00:00Z'::timestamptz + n * interval '1 minute'))).otp_id, n
from (values
  (0, '{"country_unverified": 1000}'),
  (1, '{}'),
  (2, '{"country_unverified": 60, "client_unverified": 30}'),
  (3, '{"country_unverified": 60, "verified_at": "2026-03-04T10:30:00Z"}'),
  (4, '{"client_unverified": 30, "verdict": "recorded", "rule": "FRAUD_CLIENT"}'),
  (5, '{"country_unverified": 60, "verdict": "refused", "rule": "FRAUD_COUNTRY", "otp_id": null}'),
  (6, '{"country_unverified": null, "country_verified": null, "known": null}'),
  (7, '{"country_unverified": null, "country_verified": null, "known": null, "client_unverified": 30}'),
  (8, '{"country_unverified": 1000}')
) d (n, changes);
create function pg_temp.what_if(settings jsonb) returns setof text language sql as $$
  select coalesce(w.rule, 'all') || ': ' || concat_ws(' ', decisions, unknown, refused_then, refused_now, saved_messages, hurt)
  from fraud.what_if(settings, '2026-03-04T10:01:00Z', '2026-03-04T10:08:00Z') w $$;
create temp table enforced on commit drop as
  select jsonb_build_object('FRAUD_COUNTRY', test.rule('FRAUD_COUNTRY'), 'FRAUD_CLIENT', test.rule('FRAUD_CLIENT')) as rules;

select results_eq($$select * from pg_temp.what_if('{}')$$, array['FRAUD_CALLING_CODES: 7 0 0 0 0 0', 'FRAUD_BUDGET: 7 0 0 0 0 0',
  'FRAUD_COUNTRY: 7 0 1 0 0 0', 'FRAUD_CLIENT: 7 0 0 0 0 0', 'FRAUD_COOL_DOWN: 7 0 0 0 0 0', 'FRAUD_NUMBER_TYPES: 7 0 0 0 0 0', 'all: 7 0 1 0 0 0'],
  'under the settings in force, which record, nothing would be refused');
select results_eq($$select * from pg_temp.what_if((select rules from enforced))$$, array['FRAUD_CALLING_CODES: 7 0 0 0 0 0', 'FRAUD_BUDGET: 7 0 0 0 0 0',
  'FRAUD_COUNTRY: 7 2 1 3 2 1', 'FRAUD_CLIENT: 7 0 0 3 3 0', 'FRAUD_COOL_DOWN: 7 0 0 0 0 0', 'FRAUD_NUMBER_TYPES: 7 0 0 0 0 0', 'all: 7 1 1 5 4 1'],
  'each rule counts what it would refuse alone, and all together count a decision once');
select test.set_setting('FRAUD_CLIENT', test.rule('FRAUD_CLIENT'));
select ok('FRAUD_CLIENT: 7 0 0 3 3 0' in (select * from pg_temp.what_if('{}')), 'rules that are not named are in force as stored');
select ok('FRAUD_CLIENT: 7 0 0 0 0 0' in (select * from pg_temp.what_if(jsonb_build_object('FRAUD_CLIENT', test.rule('FRAUD_CLIENT', '{"mode": "off"}')))),
  'a rule that is named replaces the stored one');

-- SMS that never went to a vendor save nothing
insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, delivery, expires_at)
select otp_id, '+12025550101', 'PHONE', 'LOGIN', true, 'queued', now() from made where n = 2;
create function pg_temp.saved(outcomes text[], price numeric) returns text language plpgsql as $$
begin
  delete from platform.delivery_attempt;
  insert into platform.delivery_attempt (id, otp_id, provider, channel, outcome, price, started_at)
  select private.new_id(), o.id, 'twilio', 'sms', outcome, saved.price, now() from platform.otp_transaction o, unnest(outcomes) outcome;
  return (select w.saved_messages || ' ' || w.saved from fraud.what_if('{}', '2026-03-04T10:01:00Z', '2026-03-04T10:08:00Z') w
    where w.rule = 'FRAUD_CLIENT');
end $$;
select is(pg_temp.saved(outcomes::text[], price), saved, 'of three refused now, one of them with attempts ' || outcomes || ', ' || saved || ' are saved')
from (values ('{}', null, '2 0'), ('{refused}', null, '2 0'), ('{declined,unreachable}', null, '2 0'), ('{null}', null, '3 0'), ('{uncertain}', 0.05, '3 0.05'),
  ('{declined,sent}', 0.05, '3 0.10'), ('{sent}', null, '3 0')) d (outcomes, price, saved);

select is((select count(*)::integer from fraud.what_if('{}', '2026-01-01', '2026-01-02') where decisions + unknown + refused_now = 0), 7,
  'without decisions every row is zero');
select throws_ok($$select fraud.what_if('{"FRAUD_COOL_DOWN": {}}', now(), now())$$, '22023',
  'FRAUD_COOL_DOWN: must be an object with the members of {"mode": "off", "exempt": [], "seconds": 30}', 'an invalid setting is refused with its sentence');
select test.become('latchkey_admin');
select is((select refused_now from fraud.what_if('{}', '2026-03-04T10:01:00Z', '2026-03-04T10:08:00Z') where rule is null), 3::bigint,
  'the admin may replay');
select throws_ok('select fraud.rules_in_force()', '42501', null, 'the admin may execute nothing else of the schema');
reset role;
select throws_ok($$set local role latchkey_graphql; select fraud.what_if('{}', now(), now())$$, '42501', null, 'latchkey_graphql may not replay by itself');
reset role;

select * from finish();
rollback;
