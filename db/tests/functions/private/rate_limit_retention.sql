begin;
select plan(3);
do $$ begin perform test.clean_slate(); end $$;
select is(private.rate_limit_retention(), interval '1 hour', 'by default no limit looks back more than an hour');
do $$ begin perform test.set_setting('GUEST_PER_IP', '"5/86400"'); end $$;
select is(private.rate_limit_retention(), interval '1 day', 'the longest period in force counts');
do $$ begin perform test.set_setting('GUEST_PER_IP', '"off"'); end $$;
select is(private.rate_limit_retention(), interval '1 hour', 'a limit that is off has none');

select * from finish();
rollback;
