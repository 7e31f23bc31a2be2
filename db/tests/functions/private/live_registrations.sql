begin;
select plan(3);
select test.clean_slate();
create temp table made on commit drop as select n, test.make_registration('+12025550101') as id from generate_series(1, 4) n;
select is((select array_agg(user_id) from private.live_registrations('+12025550101')), (select array_agg(id order by n desc) from made), 'registrations of a phone, latest first');
select is((select count(*)::integer from private.live_registrations('+12025550102')), 0, 'and of no other');
update private.pending_registration set registered_at = clock_timestamp() - interval '24 hours' + make_interval(secs => case when user_id = (select id from made where n = 1) then 1 else 0 end);
select is((select array_agg(user_id) from private.live_registrations('+12025550101')), (select array_agg(id) from made where n = 1), 'for 24 hours');

select * from finish();
rollback;
