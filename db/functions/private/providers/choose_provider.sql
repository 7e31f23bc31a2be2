create or replace function private.choose_provider(otp platform.otp_transaction, unavailable text[])
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_chain text[] := private.provider_chain_of(otp);
begin
  return (
    select v_chain[n]
    -- Not unnest: PostgreSQL estimates its rows from the array, so it would plan the query at every call.
    from generate_subscripts(v_chain, 1) n
    order by
      v_chain[n] = any (choose_provider.unavailable),
      (select count(*) from platform.delivery_attempt a where a.otp_id = otp.id and a.provider = v_chain[n]),
      n
    limit 1
  );
end
$$;

comment on function private.choose_provider(platform.otp_transaction, text[]) is
$$The provider of the next attempt: the first in private.provider_chain_of that is available and that was tried least for this one-time
password. unavailable: those that the worker's circuit breakers skip; one of them is still chosen where there is no other.$$;
