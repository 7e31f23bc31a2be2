create or replace function private.delivery_timeout(otp platform.otp_transaction)
returns interval
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_longest constant interval := interval '10 seconds';
  c_shortest constant interval := interval '1 second';
  v_left interval;
  v_untried integer;
begin
  if not otp.awaited then
    return c_longest;
  end if;
  v_left := otp.created_at + private.setting_period('OTP_SEND_TIMEOUT_SECONDS') - clock_timestamp();
  select count(*)::integer into v_untried
  from unnest(private.provider_chain_of(otp)) p (name)
  where not exists (select from platform.delivery_attempt a where a.otp_id = otp.id and a.provider = p.name);
  return greatest(c_shortest, least(c_longest, v_left / (v_untried + 1)));
end
$$;

comment on function private.delivery_timeout(platform.otp_transaction) is
$$How long the vendor of the attempt that starts may take. While a request waits: the time left, shared with the providers that were not
tried yet, so that one silent vendor does not use it up. otp: a row that the caller has locked, whose attempt is recorded.$$;
