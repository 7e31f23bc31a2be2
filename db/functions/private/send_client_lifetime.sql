create or replace function private.send_client_lifetime()
returns interval
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return least(private.setting_days('OTP_RETENTION_DAYS'), private.known_client_lifetime());
end
$$;

comment on function private.send_client_lifetime() is
$$How long a decision about a send keeps the client's address: as long as other rows lead from an account to it. An address that stayed
longer would outlive the account's erasure, which could not find it.$$;
