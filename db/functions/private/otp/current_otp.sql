create or replace function private.current_otp(attempt private.code_attempt)
returns platform.otp_transaction
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_otp platform.otp_transaction;
begin
  select o.* into v_otp
  from platform.otp_transaction o
  where o.identifier = attempt.identifier and o.identifier_type = attempt.identifier_type and o.purpose = attempt.purpose
    and o.account_id is not distinct from attempt.account_id
    and o.current_since is not null
    and (o.delivery <> 'test' or private.fixed_code_counts(o))
  order by o.current_since desc
  limit 1;
  return v_otp;
end
$$;

comment on function private.current_otp(private.code_attempt) is
$$The one-time password that counts: the latest one delivered. A newer one replaces it when its delivery is recorded, so that a failed
resend does not invalidate the code that the user has. attempt: its code may be null. Result: all null where there is none.$$;
