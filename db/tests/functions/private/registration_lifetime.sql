begin;
select plan(1);
select is(private.registration_lifetime(), interval '24 hours', 'an unverified registration ends after 24 hours');

select * from finish();
rollback;
