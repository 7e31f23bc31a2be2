begin;
select plan(3);
select test.clean_slate();
select is(private.rate_limit_retention(), interval '1 hour', 'the longest period of the default limits is an hour');
select test.set_setting('GUEST_PER_IP', '"5/86400"');
select is(private.rate_limit_retention(), interval '1 day', 'the longest period in force is returned');
select test.set_setting('GUEST_PER_IP', '"off"');
select is(private.rate_limit_retention(), interval '1 hour', 'a limit that is off has no period');

select * from finish();
rollback;
