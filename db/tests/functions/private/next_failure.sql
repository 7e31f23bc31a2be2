begin;
select plan(5);
select test.clean_slate(), test.set_setting('OTP_FAILURES_IN_A_ROW', '3');
select is(private.next_failure(0, null), 1, 'the first failure');
select is(private.next_failure(2, clock_timestamp()), 3, 'is followed by others');
select is(private.next_failure(3, clock_timestamp()), 3, 'until the count is spent');
select is(private.next_failure(3, clock_timestamp() - interval '1 day'), 1, 'a day later it begins again');
select test.set_setting('OTP_FAILURES_IN_A_ROW', '"off"');
select is(private.next_failure(3, clock_timestamp()), 4, 'where the setting is off it goes on');

select * from finish();
rollback;
