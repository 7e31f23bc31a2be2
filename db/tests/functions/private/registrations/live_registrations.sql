begin;
select plan(4);
select test.clean_slate();
create temp table registration on commit drop as select n, test.make_registration('+12025550101') as id from generate_series(1, 4) n;
select is((select array_agg(user_id) from private.live_registrations('+12025550101')),
  (select array_agg(id order by n desc) from registration),
  'live_registrations returns a phone''s registrations, the latest first');
select is((select count(*)::integer from private.live_registrations('+12025550102')), 0,
  'live_registrations returns no registration of another phone');
update private.pending_registration set registered_at = now();
select is((select array_agg(user_id) from private.live_registrations('+12025550101')), (select array_agg(id order by id desc) from registration),
  'registrations of one moment are in the order of their ids');
update private.pending_registration set registered_at = clock_timestamp() - interval '24 hours';
update private.pending_registration set registered_at = registered_at + interval '1 minute'
where user_id = (select id from registration where n = 1);
select is((select array_agg(user_id) from private.live_registrations('+12025550101')), (select array_agg(id) from registration where n = 1),
  'live_registrations returns no registration that is 24 hours old');

select * from finish();
rollback;
