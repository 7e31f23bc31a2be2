begin;
select plan(5);
select test.clean_slate();
-- The longest period in force is an hour.
select test.insert_hits('live', clock_timestamp() - interval '2 hours', clock_timestamp() - interval '59 minutes');
select test.insert_hits('spent', clock_timestamp() - interval '1 hour'), test.insert_hits('given back', variadic '{}');
select private.clean_up_rate_limits(0, 1000000);
select is((select array_agg(key) from platform.rate_limit), array['live'],
  'a rate limit with a hit within the longest period stays, one without is deleted');
select is((select cardinality(hits) from platform.rate_limit), 2, 'a rate limit that stays keeps all its hits');
select test.set_setting('OTP_SEND_PER_IP', '"10/7200"');
select test.insert_hits('counted', clock_timestamp() - interval '1 hour 59 minutes');
select test.insert_hits('over', clock_timestamp() - interval '2 hours');
select private.clean_up_rate_limits(0, 1000000);
select is((select array_agg(key order by key) from platform.rate_limit), array['counted', 'live'],
  'a longer period that is set keeps the hits that it counts');
delete from platform.rate_limit;
select test.insert_hits('over', clock_timestamp() - interval '2 hours');
select private.clean_up_rate_limits((pg_relation_size('platform.rate_limit') / 8192), 100000);
select is((select array_agg(key) from platform.rate_limit), array['over'], 'pages outside the range are left alone');
select lives_ok('select private.clean_up_rate_limits(0, 0)', 'an empty range of pages is no error');

select * from finish();
rollback;
