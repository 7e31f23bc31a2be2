begin;
select plan(7);
select test.clean_slate();
select is(private.failures_are_spent(100, now()), true, 'so many wrong codes in a row block verification');
select is(private.failures_are_spent(99, now()), false, 'one less does not block verification');
select is(private.failures_are_spent(100, clock_timestamp() - interval '1 day' + interval '1 minute'), true,
  'one minute less than a day after the latest wrong code verification is still blocked');
select is(private.failures_are_spent(100, clock_timestamp() - interval '1 day'), false,
  'a day after the latest wrong code verification is no longer blocked');
select is(private.failures_are_spent(0, null), false, 'zero wrong codes do not block verification');
select is(private.failures_are_spent(null, null), false, 'an identifier that was never verified is not blocked');
select test.set_setting('OTP_FAILURES_IN_A_ROW', '"off"');
select is(private.failures_are_spent(100000, now()), false, 'while OTP_FAILURES_IN_A_ROW is off verification is not blocked');

select * from finish();
rollback;
