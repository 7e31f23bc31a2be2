begin;
select plan(4);

select is_empty($$select d.key, private.setting_fault(d.key, d.default_value) from private.setting_definition d
    where d.default_value is not null and private.setting_fault(d.key, d.default_value) is not null$$,
  'every default value of a setting is valid');
select results_eq($$select key collate "C" from private.setting_definition where default_value is null$$, array['OTP_PROVIDER' collate "C"],
  'every setting except OTP_PROVIDER has a default value');
select is_empty($$select d.key from private.setting_definition d where d.default_value is not null
    and not exists (select from settings.configuration c where c.key = d.key)$$,
  'settings.configuration has a row for every default value');
select cmp_ok((select d.minimum from private.setting_definition d where d.key = 'SEND_DECISION_RETENTION_DAYS'), '>', fraud.usual_days()::bigint,
  'the counters from which the fraud rules take a usual day are not deleted sooner');

select * from finish();
rollback;
