create or replace function private.current_otp(identifier_type text, identifier text, purpose text, account_id uuid default null)
returns platform.otp_transaction
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_otp platform.otp_transaction;
begin
  select o.* into v_otp
  from platform.otp_transaction o
  where o.identifier = current_otp.identifier
    and o.identifier_type = current_otp.identifier_type
    and o.purpose = current_otp.purpose
    and o.account_id is not distinct from current_otp.account_id
    and o.current_since is not null
    and (o.delivery <> 'test' or private.fixed_code_counts(o))
  order by o.current_since desc
  limit 1;
  return v_otp;
end
$$;

comment on function private.current_otp(text, text, text, uuid) is
$$The one-time password that counts: the latest one delivered. A newer one replaces it when its delivery is recorded, so that a failed
resend does not invalidate the code that the user has. identifier_type: PHONE or EMAIL. identifier: E.164 or lower-cased email.
purpose: of the code. account_id: the account that asked for a PHONE_CHANGE code; null for other codes. Result: all null where there is none.$$;
