create or replace function private.current_otp(identifier text, purpose text)
returns platform.otp_transaction
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select o.*
  from platform.otp_transaction o
  where o.identifier = current_otp.identifier and o.purpose = current_otp.purpose and o.current_since is not null
  order by o.current_since desc
  limit 1
$$;

comment on function private.current_otp(text, text) is
$$The one-time password that counts: the latest one delivered. A newer one replaces it when its delivery is recorded,
so that a failed resend does not kill the code in hand. identifier: E.164 or email. purpose: LOGIN, SIGNUP or PASSWORD_RESET.$$;
revoke all on function private.current_otp(text, text) from public;
