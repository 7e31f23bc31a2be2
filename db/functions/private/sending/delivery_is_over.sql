create or replace function private.delivery_is_over(otp platform.otp_transaction)
returns boolean
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select
    otp.verified_at is not null
    or otp.delivery not in ('queued', 'sending')
$$;

comment on function private.delivery_is_over(platform.otp_transaction) is
$$Whether no message is to be sent any more for a one-time password: it was used, or its delivery has an outcome.$$;
