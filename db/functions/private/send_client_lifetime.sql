create or replace function private.send_client_lifetime()
returns interval
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- The clean-up forgets the address first, however long its other steps take: they then delete what led to it.
  c_margin constant interval := interval '1 hour';
begin
  return least(private.setting_days('OTP_RETENTION_DAYS'), private.known_client_lifetime()) - c_margin;
end
$$;

comment on function private.send_client_lifetime() is
$$How long a decision about a send keeps the client's address: not as long as other rows lead from an account to it. An address that stayed
longer would outlive the account's erasure, which could not find it.$$;
