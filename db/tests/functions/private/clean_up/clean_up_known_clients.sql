begin;
select plan(1);
select test.clean_slate(), test.make_account('+12025550101');
insert into private.known_client
  select a.id, client, clock_timestamp() - age from "user".account a,
  (values ('of old', interval '30 days'), ('of late', interval '29 days 23:59:59')) k (client, age);
select private.clean_up_known_clients(0, 1000000);
select is((select array_agg(client) from private.known_client), array['of late'],
  'a known client is deleted 30 days after its last login');

select * from finish();
rollback;
