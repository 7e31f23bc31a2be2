begin;
select plan(3);
select test.clean_slate();
select is(private.most_failures(), 100, 'a hundred by default');
select test.set_setting('OTP_FAILURES_IN_A_ROW', '3');
select is(private.most_failures(), 3, 'the setting decides');
select test.set_setting('OTP_FAILURES_IN_A_ROW', '"off"');
select is(private.most_failures(), null, 'null while it is off');

select * from finish();
rollback;
