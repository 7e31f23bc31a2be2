create or replace function private.may_be_sent(otp platform.otp_transaction)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  -- A worker that runs across a restore would send what was sent before.
  if private.restore_kind() is not distinct from 'restore' then
    return false;
  end if;
  if private.is_too_late_to_send(otp, clock_timestamp()) then
    return false;
  end if;
  -- The request was answered with OTP_SEND_FAILED, or its server has stopped.
  if otp.awaited and clock_timestamp() > otp.created_at + private.setting_period('OTP_SEND_TIMEOUT_SECONDS') then
    return false;
  end if;
  if private.setting('OTP_PROVIDER') is null or private.test_code(otp.identifier) is not null then
    return false;
  end if;
  return otp.awaited or otp.purpose = any (private.notice_purposes() || array['TEST']) or (private.account_for_code(otp.identifier)).id is not null;
end
$$;

comment on function private.may_be_sent(platform.otp_transaction) is
$$Whether a one-time password is still worth an SMS: a minute or more is left (half its lifetime where that is shorter), a provider is
set, no restore waits for platform.after_restore, the phone is no test number, and either its request (POST /otp/send, POST /auth/phone, POST /auth/email) still waits (OTP_SEND_TIMEOUT_SECONDS), or the phone of a reset has an account, or it is a
notice without a code, or a test message of the admin.$$;
