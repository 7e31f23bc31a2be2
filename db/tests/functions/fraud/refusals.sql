begin;
select plan(4);
create function pg_temp.rules(changes jsonb) returns jsonb language sql as
$$ select jsonb_object_agg(key, test.rule(key, changes)) from private.setting_definition where kind = 'fraud rule' $$;
create temp table suspect on commit drop as select test.facts('{"sends_this_hour": 1000, "country_unverified": 50, "client_unverified": 20,
  "since_last": "1 second", "number_type": "PAGER"}') as facts;
select is(fraud.refusals(pg_temp.rules('{"mode": "off"}'), facts), '{f,f,f,f,f,f}', 'rules that are off do not object') from suspect;
select is(fraud.refusals(pg_temp.rules('{"mode": "off"}'), '(,,,,,,,,,,,,,)'), '{f,f,f,f,f,f}', 'rules that are off need no facts');
select is((select array_agg(refusals order by position) from (
    select position, fraud.refusals(pg_temp.rules('{"mode": "off", "blocked": ["+1"]}') || jsonb_build_object(name,
      test.rule(name, '{"mode": "record", "blocked": ["+1"]}')), facts) as refusals
    from suspect, unnest(fraud.rule_names()) with ordinality n (name, position)) r),
  '{{t,f,f,f,f,f},{f,t,f,f,f,f},{f,f,t,f,f,f},{f,f,f,t,f,f},{f,f,f,f,t,f},{f,f,f,f,f,t}}', 'each rule has the place of its name, and objects in mode "record" too');
select is(fraud.refusals(pg_temp.rules('{"mode": "enforce"}'), jsonb_populate_record(null::fraud.send_facts, '{"prefix": "+12025"}')),
  '{f,NULL,NULL,NULL,NULL,NULL}', 'rules whose facts are missing are unknown');

select * from finish();
rollback;
