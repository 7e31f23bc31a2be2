begin;
select plan(14);
select test.clean_slate(), test.make_account('+12025550101');
insert into private.known_client select a.id, '192.0.2.1', now() from "user".account a;
create function pg_temp.gather(modes jsonb, phone text default '+12025550101', client text default '192.0.2.1', is_reset boolean default false, purpose text default 'LOGIN')
returns jsonb language sql as $$
  select to_jsonb(f) from (select jsonb_object_agg(key, jsonb_build_object('mode', coalesce(modes ->> key, 'off'))) as rules
    from private.setting_definition where kind = 'fraud rule') r,
    fraud.gather_facts(r.rules, test.send_request(phone, purpose => case when is_reset then 'PASSWORD_RESET' else purpose end,
      awaited => not is_reset, client => client, counted_at => '2026-03-04T10:20:30Z')) f $$;
insert into private.send_count values
  ('all', 'hour', '2026-03-04T10:00:00Z', 0, 3, 0), ('all', 'hour', '2026-03-04T10:00:00Z', 7, 1, 0),
  ('all', 'hour', '2026-03-03T11:00:00Z', 0, 5, 0), ('all', 'hour', '2026-03-03T10:00:00Z', 0, 1000, 0),
  ('country:US', 'hour', '2026-03-04T10:00:00Z', 0, 6, 2), ('country:US', 'day', '2026-03-03T00:00:00Z', 0, 100, 7),
  ('country:KE', 'hour', '2026-03-04T10:00:00Z', 0, 1000, 0),
  ('client:192.0.2.1', 'hour', '2026-03-04T10:00:00Z', 0, 9, 1), ('client:192.0.2.1', 'day', '2026-03-03T00:00:00Z', 0, 100, 8);
set local timezone = 'Asia/Kolkata';
select is(pg_temp.gather('{}') - 'at', '{"prefix": "+12025550", "country": "US", "client": "192.0.2.1", "purpose": "LOGIN",
  "sends_this_hour": null, "sends_last_day": null, "country_unverified": null, "country_verified": null, "client_unverified": null,
  "client_verified": null, "since_last": null, "known": null, "number_type": null}', 'what only rules that are off need is not read');
select is((pg_temp.gather('{}') ->> 'at')::timestamptz, '2026-03-04T10:20:30Z', 'the moment is a fact');
select is(pg_temp.gather('{}', '+6834002') ->> 'prefix', '+6834002', 'of a short phone all digits');
select is(pg_temp.gather('{"FRAUD_BUDGET": "record"}') - 'at' @> '{"sends_this_hour": 4, "sends_last_day": 9, "known": null}', true,
  'a budget reads the service''s counters of the hour and of 24 clock hours, in UTC');
select is(pg_temp.gather('{"FRAUD_COUNTRY": "enforce"}') - 'at' @> '{"country_unverified": 4, "country_verified": 7, "client_unverified": null}',
  true, 'the rule for countries reads the country''s counters');
select is(pg_temp.gather('{"FRAUD_CLIENT": "record"}') - 'at' @> '{"client_unverified": 8, "client_verified": 8, "country_unverified": null}',
  true, 'the rule for clients reads the client''s counters');
select is(pg_temp.gather('{"FRAUD_COOL_DOWN": "record"}') ->> 'since_last', '1 day', 'the cool-down reads the last send');
select is(pg_temp.gather('{"FRAUD_COUNTRY": "record"}') ->> 'known', 'true', 'the client that the account signed in from is known');
select is(pg_temp.gather('{"FRAUD_COUNTRY": "record"}', client => '192.0.2.2') ->> 'known', 'false', 'another client is not');
select is((select array_agg(pg_temp.gather('{"FRAUD_COUNTRY": "record"}', phone, '192.0.2.2', true) ->> 'known')
    from (values ('+12025550101'), ('+12025550102')) p (phone)), array['true', 'true'],
  'a reset is left alone, whether or not there is an account');
select is((select (fraud.gather_facts('{"FRAUD_COUNTRY": {"mode": "record"}}', test.send_request('+12025550101', purpose => p.purpose, awaited => p.awaited, client => '192.0.2.2'))).known),
  false, 'that is one that nobody waits for: not ' || p.purpose) from (values ('PASSWORD_RESET', true), ('TEST', false)) p (purpose, awaited);
select is(pg_temp.gather('{"FRAUD_BUDGET": "enforce", "FRAUD_COUNTRY": "enforce", "FRAUD_CLIENT": "enforce", "FRAUD_COOL_DOWN": "enforce"}', client => '192.0.2.2', purpose => 'PHONE_CHANGED')
    @> '{"sends_this_hour": 4, "client_unverified": null, "since_last": null, "known": true}', true, 'a notice has the facts of the budget, and none that codes to the phone or by the client change');
delete from private.send_count;
select is(pg_temp.gather('{"FRAUD_BUDGET": "record"}') @> '{"sends_this_hour": 0, "sends_last_day": 0}', true, 'a service that has sent nothing has sent 0');

select * from finish();
rollback;
