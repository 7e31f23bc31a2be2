begin;
select plan(1);
select is(private.known_client_lifetime(), interval '30 days', 'a client is known for 30 days');

select * from finish();
rollback;
