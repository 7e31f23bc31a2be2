begin;
select plan(3);
select results_eq($$select private.routed_records('{"providerToUse": "http", "routes": {"+44": {"providerToUse": "vonage"}, "+1": {"fallback": []}}}')$$,
  $$values (jsonb '{"providerToUse": "http"}'), ('{"providerToUse": "http", "fallback": []}'), ('{"providerToUse": "vonage"}')$$,
  'the record comes first, then each of its routes');
select results_eq($$select private.routed_records('{"providerToUse": "http"}')$$, $$values (jsonb '{"providerToUse": "http"}')$$, 'without routes it is alone');
select is_empty('select private.routed_records(null)', 'none where nothing is set');
select * from finish();
rollback;
