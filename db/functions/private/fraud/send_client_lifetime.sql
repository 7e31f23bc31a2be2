create or replace function private.send_client_lifetime()
returns interval
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Shorter than the other lifetimes: the clean-up removes the address before it deletes the rows that lead to it.
  c_margin constant interval := interval '1 hour';
begin
  return least(private.setting_period('OTP_RETENTION_DAYS'), private.known_client_lifetime()) - c_margin;
end
$$;

comment on function private.send_client_lifetime() is
$$How long a decision about a send keeps the client's address: less than the other rows by which an account's erasure finds it. An address
that stayed longer would survive the erasure.$$;
