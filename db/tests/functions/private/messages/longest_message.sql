begin;
select plan(4);
select test.clean_slate();
select is(private.longest_message('{{code}} {{minutes}}'), '000000 5', 'by default a code has six digits and five minutes');
select is(private.longest_message('{{code}} {{minutes}}', 10), '000000 10', 'least_minutes raises the number of minutes');
select test.set_setting('OTP_LENGTH', '10');
select test.set_setting('OTP_TTL_SECONDS', '5970');
select is(private.longest_message('{{code}} {{minutes}}'), '0000000000 100', 'digits and minutes follow the settings, rounded as in a message');
select test.set_setting('OTP_TTL_SECONDS', '20');
select is(private.longest_message('{{minutes}}'), '1', 'a message names one minute at least');

select * from finish();
rollback;
