begin;
select plan(15);
select test.clean_slate(), test.make_account('+12025550101');
update "user".account set phone_verified_at = now() - interval '1 day';
create function pg_temp.reason(phone text, awaited boolean, dropped_after interval default '1 second') returns text language plpgsql
as $$
declare
  v_otp platform.otp_transaction := test.queue_otp(phone, 'PHONE', 'PASSWORD_RESET', awaited, now());
begin
  v_otp.current_since := case when not awaited then now() + dropped_after end;
  return private.drop_reason(v_otp);
end
$$;
select is(pg_temp.reason('+12025550102', false), 'the phone has no account, and a password reset is sent only to accounts',
  'a reset for a phone without an account was dropped for that');
select is(pg_temp.reason('+12025550101', false, '4 minutes 1 second'), 'it waited in the queue until too little time was left to type it',
  'a reset that was dropped shortly before its end was too late');
select is(pg_temp.reason('+12025550101', false), 'no provider was set (OTP_PROVIDER), or it waited in the queue for too long',
  'the reason of any other drop cannot be found any more');
update "user".account set phone_verified_at = now() + interval '1 minute';
select is(pg_temp.reason('+12025550101', false), 'the phone has no account, and a password reset is sent only to accounts',
  'an account that was created after the drop does not count');
update "user".account set phone_verified_at = now() + interval '1 second';
select is(pg_temp.reason('+12025550101', false), 'no provider was set (OTP_PROVIDER), or it waited in the queue for too long',
  'an account that was created at the moment of the drop counts');
update "user".account set phone_verified_at = now() - interval '1 day', disabled_at = now(), disabled_reason = 'spam';
select is(pg_temp.reason('+12025550101', false),
  'the account is disabled or deleted, and a password reset is sent only to accounts that can be signed in to',
  'a reset for a disabled account was dropped for that');
select is(pg_temp.reason('+12025550101', false, '0'),
  'the account is disabled or deleted, and a password reset is sent only to accounts that can be signed in to',
  'also where it was dropped at the very moment in which the account was disabled');
update "user".account set disabled_at = null, disabled_reason = null, deletion_due_at = now();
select is(pg_temp.reason('+12025550101', false),
  'the account is disabled or deleted, and a password reset is sent only to accounts that can be signed in to',
  'a reset for an account whose deletion was due was dropped for that');
select is(pg_temp.reason('+12025550101', false, '0'),
  'the account is disabled or deleted, and a password reset is sent only to accounts that can be signed in to',
  'also where it was dropped at the very moment in which the deletion was due');
update "user".account set deletion_due_at = null;
update "user".account set phone_verified_at = now() - interval '1 day', last_used_on = last_used_on - 31;
select test.set_setting('PHONE_RECYCLED_AFTER_DAYS', '30');
select is(pg_temp.reason('+12025550101', false),
  'nobody has used the account for PHONE_RECYCLED_AFTER_DAYS, and the phone may belong to somebody else by now', 'a reset for a recycled phone was dropped for that');
truncate settings.configuration;
update "user".account set phone_verified_at = now() - interval '1 day';
select is(pg_temp.reason('+12025550101', false), 'no provider is set (OTP_PROVIDER)', 'without a provider a reset was dropped for that');
select is(pg_temp.reason('+12025550102', true), 'no provider is set (OTP_PROVIDER)',
  'a code that a request waits for needs no account: without a provider it was dropped for that');

select is(private.drop_reason(o), 'no provider is set (OTP_PROVIDER)', 'a notice needs no account')
from (select (jsonb_populate_record(null::platform.otp_transaction, '{"awaited": false, "purpose": "PHONE_CHANGED", "identifier": "+12025550102"}')).*) o;
select test.set_setting('OTP_TEST_NUMBERS', '{"+12025550102": {"code": "424242", "until": "9999-12-31T00:00:00Z"}}');
select is(pg_temp.reason('+12025550102', true), 'this is a test number (OTP_TEST_NUMBERS), to which nothing is sent', 'nothing is sent to a phone that became a test number');
update private.installation set restore_noticed_at = now();
select matches(pg_temp.reason('+12025550102', true), '^the database was restored from a backup', 'nothing is sent from a restored database');

select * from finish();
rollback;
