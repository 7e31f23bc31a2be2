begin;
select plan(24);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_registration('+12025550102');
create function pg_temp.may(phone text, awaited boolean, seconds_left integer default 300, lifetime integer default 300,
  purpose text default 'PASSWORD_RESET')
returns boolean language plpgsql
as $$
declare
  v_otp platform.otp_transaction;
begin
  v_otp.identifier := phone;
  v_otp.purpose := purpose;
  v_otp.awaited := awaited;
  v_otp.expires_at := clock_timestamp() + make_interval(secs => seconds_left + 0.5);
  v_otp.created_at := v_otp.expires_at - make_interval(secs => lifetime);
  return private.may_be_sent(v_otp);
end
$$;
select is(pg_temp.may(phone, true), true, 'an awaited code may be sent to ' || who)
from (values ('+12025550101', 'an account'), ('+12025550102', 'an unverified phone'), ('+12025550103', 'any phone')) p (phone, who);
select is(pg_temp.may('+12025550101', false), true, 'a code that is not awaited may be sent to an account');
select is(pg_temp.may('+12025550102', false), false, 'a code that is not awaited may not be sent to an unverified phone');
select is(pg_temp.may('+12025550103', false), false, 'a code that is not awaited may not be sent to a phone without an account');
select is(pg_temp.may('+12025550103', false, 300, 300, 'PHONE_CHANGED'), true, 'a notice may be sent to a phone without an account');
select is(pg_temp.may('+12025550103', false, 300, 300, 'TEST'), true, 'a test message may be sent to a phone without an account');
select is(pg_temp.may('+12025550103', false, -1, 300, 'PHONE_CHANGED'), false, 'a notice that is out of date may not be sent');
update private.installation set restore_noticed_at = now();
select is(pg_temp.may('+12025550101', true), false, 'nothing may be sent from a restored database');
update private.installation set restore_noticed_at = null;
select test.set_setting('PHONE_RECYCLED_AFTER_DAYS', '30');
update "user".account set last_used_on = last_used_on - 31;
select is(pg_temp.may('+12025550101', false), false, 'a reset may not be sent to a recycled phone');
select is(pg_temp.may('+12025550101', true), true, 'an awaited code may be sent to a recycled phone');
update "user".account set last_used_on = last_used_on + 31;
select is(pg_temp.may('+12025550101', false, 60), true, 'a code with a minute left may be sent');
select is(pg_temp.may('+12025550101', false, 59), false, 'a code with less than a minute left may not be sent');
select is(pg_temp.may('+12025550101', false, 45, 90), true,
  'a code with a lifetime of less than two minutes may be sent while half of it is left');
select is(pg_temp.may('+12025550101', false, 44, 90), false,
  'a code with a lifetime of less than two minutes may not be sent when less than half of it is left');
select is(pg_temp.may('+12025550101', false, 15, 30), true, 'a code with a lifetime of half a minute may be sent');
select is(pg_temp.may('+12025550101', false, -1), false, 'an expired code may not be sent');
select test.set_setting('OTP_SEND_TIMEOUT_SECONDS', '10');
select is(pg_temp.may('+12025550101', true, 291, 300), true, 'a code that is awaited may be sent while its request waits');
select is(pg_temp.may('+12025550101', true, 289, 300), false, 'a code that is awaited may not be sent once its request has timed out');
truncate settings.configuration;
select is(pg_temp.may('+12025550101', true), false, 'without a provider no code may be sent');

select test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}"}');
select test.set_setting('OTP_TEST_NUMBERS', '{"+12025550101": {"code": "424242", "until": "9999-12-31T00:00:00Z"}}');
select is(pg_temp.may('+12025550101', false, purpose => p), false, p || ': nothing is sent to a phone that has become a test number')
from unnest(array['PASSWORD_RESET', 'PHONE_CHANGED', 'TEST']) p;

select * from finish();
rollback;
