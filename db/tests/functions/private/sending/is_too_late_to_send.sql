begin;
select plan(5);
create function pg_temp.is_too_late(lifetime interval, since interval) returns boolean language plpgsql
as $$
declare
  v_otp platform.otp_transaction;
begin
  v_otp.created_at := '2026-01-31 12:00:00+00';
  v_otp.expires_at := v_otp.created_at + lifetime;
  return private.is_too_late_to_send(v_otp, v_otp.created_at + since);
end
$$;
select is(pg_temp.is_too_late('5 minutes', '4 minutes'), false, 'with a minute left it is not too late');
select is(pg_temp.is_too_late('5 minutes', '4 minutes 1 second'), true, 'with less than a minute left it is too late');
select is(pg_temp.is_too_late('1 minute', '30 seconds'), false, 'with half of a short lifetime left it is not too late');
select is(pg_temp.is_too_late('1 minute', '31 seconds'), true, 'with less than half of a short lifetime left it is too late');
select is(pg_temp.is_too_late('5 minutes', '6 minutes'), true, 'after its end it is too late');

select * from finish();
rollback;
