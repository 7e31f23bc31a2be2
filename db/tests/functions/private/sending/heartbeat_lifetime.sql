begin;
select plan(1);
select is(private.heartbeat_lifetime(), interval '30 seconds', 'a worker may miss two heartbeats');

select * from finish();
rollback;
