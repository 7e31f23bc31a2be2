begin;
select plan(4);
select test.clean_slate();
select is(private.rate_limit_rule('OTP_SEND_PER_IP', '192.0.2.1')::text, '(OTP_SEND_PER_IP,OTP_SEND_PER_IP:192.0.2.1,10,01:00:00)',
  'a rule has the setting''s name, the key of the subject, and requests and period of the setting');
select test.set_setting('OTP_SEND_PER_IP', '"7/90"');
select is(private.rate_limit_rule('OTP_SEND_PER_IP', '192.0.2.1')::text, '(OTP_SEND_PER_IP,OTP_SEND_PER_IP:192.0.2.1,7,00:01:30)',
  'a change of the setting applies at once');
select test.set_setting('REGISTER_PER_IP', '"off"');
select is(private.rate_limit_rule('REGISTER_PER_IP', '192.0.2.1')::text, null, 'a limit that is off has no rule');
select test.set_setting('REGISTER_PER_IP', '"1/60"');
select is((private.rate_limit_rule('REGISTER_PER_IP', '192.0.2.1')).requests, 1, 'a limit that is turned on again has a rule');

select * from finish();
rollback;
