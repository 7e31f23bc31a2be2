begin;
select plan(13);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_registration('+12025550102');
create function pg_temp.may(phone text, awaited boolean, seconds_left integer default 300, lifetime integer default 300) returns boolean language plpgsql
as $$
declare
  v_otp platform.otp_transaction;
begin
  v_otp.identifier := phone;
  v_otp.awaited := awaited;
  v_otp.expires_at := clock_timestamp() + make_interval(secs => seconds_left + 0.5);
  v_otp.created_at := v_otp.expires_at - make_interval(secs => lifetime);
  return private.may_be_sent(v_otp);
end
$$;
select is(pg_temp.may(phone, true), true, 'what a request waits for may be sent to ' || who)
from (values ('+12025550101', 'an account'), ('+12025550102', 'an unverified one'), ('+12025550103', 'any phone')) p (phone, who);
select is(pg_temp.may('+12025550101', false), true, 'what nobody waits for may be sent to an account');
select is(pg_temp.may('+12025550102', false), false, 'not to an unverified one');
select is(pg_temp.may('+12025550103', false), false, 'nor to a phone without one');
select is(pg_temp.may('+12025550101', true, 60), true, 'a minute before its end a code is worth sending');
select is(pg_temp.may('+12025550101', true, 59), false, 'later it is not');
select is(pg_temp.may('+12025550101', true, 45, 90), true, 'of a life of less than two minutes half must be left');
select is(pg_temp.may('+12025550101', true, 44, 90), false, 'and not less');
select is(pg_temp.may('+12025550101', true, 15, 30), true, 'so that a short life can be sent at all');
select is(pg_temp.may('+12025550101', true, -1), false, 'an expired code is not sent');
delete from settings.configuration where key = 'OTP_PROVIDER';
select is(pg_temp.may('+12025550101', true), false, 'nor is any without a provider');

select * from finish();
rollback;
