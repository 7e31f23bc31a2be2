begin;
select plan(5);
select test.clean_slate(), test.set_setting('OTP_FAILURES_IN_A_ROW', '3');
select is(private.next_failure(0, null), 1, 'the first failure makes the number 1');
select is(private.next_failure(2, clock_timestamp()), 3, 'a further failure increases the number');
select is(private.next_failure(3, clock_timestamp()), 3, 'a failure during a block leaves the number unchanged');
select is(private.next_failure(3, clock_timestamp() - interval '1 day'), 1, 'a failure a day after the block makes the number 1');
select test.set_setting('OTP_FAILURES_IN_A_ROW', '"off"');
select is(private.next_failure(3, clock_timestamp()), 4, 'while OTP_FAILURES_IN_A_ROW is off the number increases without end');

select * from finish();
rollback;
