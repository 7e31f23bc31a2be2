begin;
select plan(1);
select test.clean_slate();
insert into private.verification_state (identifier_type, identifier, failures, failed_at, known_client_failed_at)
  select 'PHONE', what, 1, clock_timestamp() - age, clock_timestamp() - known_age
  from (values ('of late', interval '29 days 23:59:59', interval '31 days'), ('of old', interval '30 days 1 second', null),
    ('known of late', null, interval '1 day'), ('without', null, null)) s (what, age, known_age);
select private.clean_up_verification_states(0, 1000000);
select is((select array_agg(identifier order by identifier) from private.verification_state), array['known of late', 'of late'],
  'failures in a row are deleted 30 days after the latest one');

select * from finish();
rollback;
