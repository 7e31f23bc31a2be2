create or replace function private.is_too_late_to_send(otp platform.otp_transaction, at timestamptz)
returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  c_time_to_type constant interval := interval '1 minute';
begin
  return otp.expires_at - is_too_late_to_send.at < least(c_time_to_type, (otp.expires_at - otp.created_at) / 2);
end
$$;

comment on function private.is_too_late_to_send(platform.otp_transaction, timestamptz) is
$$Whether a one-time password would expire before it could be typed, which only confuses: less than a minute is left, or less than half of
its lifetime where that is shorter.$$;
