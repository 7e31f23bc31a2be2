begin;
select plan(3);
select test.clean_slate();

select is(private.optional_seconds('SESSION_MAX_SECONDS'), null, 'a setting that is off by default is null');
select test.set_setting('SESSION_MAX_SECONDS', '90');
select is(private.optional_seconds('SESSION_MAX_SECONDS'), interval '90 seconds', 'a stored number is an interval');
select test.set_setting('SESSION_MAX_SECONDS', '"off"');
select is(private.optional_seconds('SESSION_MAX_SECONDS'), null, 'a setting that is off is null');

select * from finish();
rollback;
