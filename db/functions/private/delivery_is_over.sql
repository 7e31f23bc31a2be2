create or replace function private.delivery_is_over(otp platform.otp_transaction)
returns boolean
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select
    otp.verified_at is not null
    or otp.delivery in ('sent', 'refused', 'dropped', 'cancelled', 'stored', 'test')
    -- The request that waited has reported the failure; a later SMS would surprise.
    or (otp.awaited and otp.delivery in ('unreachable', 'uncertain'))
$$;

comment on function private.delivery_is_over(platform.otp_transaction) is
$$Whether no SMS is to be sent any more for a one-time password. A reset request that did not reach the vendor is retried.$$;
