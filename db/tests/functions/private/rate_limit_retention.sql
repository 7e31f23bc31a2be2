begin;
select plan(3);
select test.clean_slate();
select is(private.rate_limit_retention(), interval '1 hour', 'by default no limit looks back more than an hour');
select test.set_setting('GUEST_PER_IP', '"5/86400"');
select is(private.rate_limit_retention(), interval '1 day', 'the longest period in force counts');
select test.set_setting('GUEST_PER_IP', '"off"');
select is(private.rate_limit_retention(), interval '1 hour', 'a limit that is off has none');

select * from finish();
rollback;
