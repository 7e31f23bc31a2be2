begin;
select plan(1);
select test.clean_slate();
select test.make_registration('+12025550101'), test.make_registration('+12025550102');
update private.pending_registration
set registered_at = clock_timestamp() - interval '30 days 1 second' + case phone when '+12025550102' then interval '1 minute' else '0' end;
select private.clean_up_pending_registrations(0, 1000000);
select is((select array_agg(phone) from private.pending_registration), array['+12025550102'],
  'a pending registration is deleted after 30 days');

select * from finish();
rollback;
