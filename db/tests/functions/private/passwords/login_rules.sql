begin;
select plan(2);
select test.clean_slate();
select is((select array_agg(row(r.key, r.requests, r.period)::text) from unnest(private.login_rules('00000000-0000-7000-8000-000000000001')) r),
  array['(LOGINS_PER_PHONE:00000000-0000-7000-8000-000000000001,30,00:05:00)'], 'a login counts against LOGINS_PER_PHONE');
select test.set_setting('LOGINS_PER_PHONE', '"off"');
select is((select array_agg(r.key) from unnest(private.login_rules('00000000-0000-7000-8000-000000000001')) r), array[null]::text[],
  'a limit that is off is null');

select * from finish();
rollback;
