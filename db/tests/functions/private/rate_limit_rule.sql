begin;
select plan(4);
select test.clean_slate();
select is(private.rate_limit_rule('OTP_SEND_PER_IP', '192.0.2.1')::text, '(OTP_SEND_PER_IP,OTP_SEND_PER_IP:192.0.2.1,10,01:00:00)',
  'a rule is the setting''s name, the key that counts the subject, and the numbers');
select test.set_setting('OTP_SEND_PER_IP', '"7/90"');
select is(private.rate_limit_rule('OTP_SEND_PER_IP', '192.0.2.1')::text, '(OTP_SEND_PER_IP,OTP_SEND_PER_IP:192.0.2.1,7,00:01:30)',
  'numbers changed by SQL bite at once');
select test.set_setting('REGISTER_PER_IP', '"off"');
select is(private.rate_limit_rule('REGISTER_PER_IP', '192.0.2.1')::text, null, 'a limit that is turned off makes no rule');
select test.set_setting('REGISTER_PER_IP', '"1/60"');
select is((private.rate_limit_rule('REGISTER_PER_IP', '192.0.2.1')).requests, 1, 'until it is turned on');

select * from finish();
rollback;
