create or replace function api.check_pepper(fingerprint bytea)
returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return private.check_pepper(check_pepper.fingerprint);
end
$$;

comment on function api.check_pepper(bytea) is
$$Whether the HASH_PEPPER of a server that starts is the one that hashed this database's passwords and codes.
fingerprint: as private.check_pepper.$$;
grant execute on function api.check_pepper(bytea) to latchkey_server;
