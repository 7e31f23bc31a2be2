create or replace function private.may_be_sent(otp platform.otp_transaction)
returns boolean
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  select
    -- A code that is dead before it can be typed only confuses.
    otp.expires_at - clock_timestamp() >= least(interval '1 minute', (otp.expires_at - otp.created_at) / 2)
    and private.setting('OTP_PROVIDER') is not null
    and (otp.awaited or exists (
      select from "user".account a where a.phone = otp.identifier
    ))
$$;

comment on function private.may_be_sent(platform.otp_transaction) is
$$Whether a one-time password is still worth an SMS: a minute or more is left (half its life where that is shorter), a provider is
set, and, unless POST /otp/send asked for it, the phone has a verified account.$$;
