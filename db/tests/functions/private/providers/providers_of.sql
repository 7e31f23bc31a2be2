begin;
select plan(3);

select results_eq($$select private.providers_of('{"providerToUse": "twilio", "fallback": ["vonage", "http"], "aws-sns": {}}')$$,
  array['twilio', 'vonage', 'http'], 'those that send, in their order, and none whose options alone are there');
select results_eq($$select private.providers_of('{"providerToUse": "http"}')$$, array['http'], 'without a fallback only the first');
select is_empty('select private.providers_of(null)', 'none where nothing is set');

select * from finish();
rollback;
