create or replace function startup.check_pepper(fingerprint bytea)
returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into private.installation as i (pepper_fingerprint) values (check_pepper.fingerprint)
  on conflict on constraint installation_pkey do update
  set pepper_fingerprint = excluded.pepper_fingerprint where i.pepper_fingerprint is null;
  return (select i.pepper_fingerprint = check_pepper.fingerprint from private.installation i);
end
$$;

comment on function startup.check_pepper(bytea) is
$$Whether the HASH_PEPPER of a process that starts is the one that hashed this database's passwords and codes. The first call stores its own.
fingerprint: 32 bytes derived from the pepper (HKDF), from which it cannot be computed.$$;
grant execute on function startup.check_pepper(bytea) to latchkey_server, latchkey_worker;
