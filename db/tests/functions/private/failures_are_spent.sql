begin;
select plan(7);
select test.clean_slate();
select is(private.failures_are_spent(100, now()), true, 'a hundred wrong codes in a row end verifying');
select is(private.failures_are_spent(99, now()), false, 'ninety-nine do not');
select is(private.failures_are_spent(100, clock_timestamp() - interval '1 day' + interval '1 second'), true, 'for a day');
select is(private.failures_are_spent(100, clock_timestamp() - interval '1 day'), false, 'and no longer');
select is(private.failures_are_spent(0, null), false, 'none end nothing');
select is(private.failures_are_spent(null, null), false, 'nor does an identifier never verified');
select test.set_setting('OTP_FAILURES_IN_A_ROW', '"off"');
select is(private.failures_are_spent(100000, now()), false, 'nor do any where the setting is off');

select * from finish();
rollback;
