begin;
select plan(1);
select is(private.registration_lifetime(), interval '24 hours', 'a registration expires after 24 hours');

select * from finish();
rollback;
