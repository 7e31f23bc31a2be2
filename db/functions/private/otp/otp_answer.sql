create or replace function private.otp_answer(otp platform.otp_transaction)
returns api.otp_answer
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return row(
    null, otp.id, otp.expires_at, case when otp.awaited then private.setting_integer('OTP_SEND_TIMEOUT_SECONDS') end
  )::api.otp_answer;
end
$$;

comment on function private.otp_answer(platform.otp_transaction) is
$$The answer to a request of a code: its id, and how long the request waits for the delivery; null where nothing is sent.$$;
