begin;
select plan(6);
select test.clean_slate();
insert into private.installation (is_one) values (true) on conflict do nothing;
update private.installation set origin = null, marked_at = null;
select is_empty($$select private.settle_restore()$$, 'a database that nobody has marked is no restored one');
select is((select origin from private.installation), private.database_origin(), 'it is recorded');
select is_empty($$select private.settle_restore()$$, 'the same copy of the data has nothing to settle');
update private.installation set origin.timeline = 99, marked_at = clock_timestamp();
select results_eq($$select private.settle_restore()$$, array['a standby took over: codes and waiting messages have ended'], 'a failover is settled');
update private.installation set origin.system_identifier = 1, marked_at = '2026-01-02 03:04:05Z';
select matches((select private.settle_restore()), '^restored: the data are of 2026-01-02 03:04:05 UTC\.', 'a restore is settled, as of the latest mark');
select is_empty($$select private.settle_restore()$$, 'once');

select * from finish();
rollback;
