create or replace function startup.check_pepper(fingerprints bytea[])
returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into private.installation as i (pepper_fingerprint) values (check_pepper.fingerprints[1])
  on conflict on constraint installation_pkey do update
  set pepper_fingerprint = excluded.pepper_fingerprint
  where i.pepper_fingerprint is null or i.pepper_fingerprint <> excluded.pepper_fingerprint and i.pepper_fingerprint = any (check_pepper.fingerprints);
  return (select i.pepper_fingerprint = check_pepper.fingerprints[1] from private.installation i);
end
$$;

comment on function startup.check_pepper(bytea[]) is
$$Whether HASH_PEPPER of a process that starts names the pepper that hashes this database's passwords and codes. The first call stores its own; a
later one whose HASH_PEPPER names that one in the second place makes the first one current. So a process with the earlier pepper alone is refused
from then on: it could not verify what is hashed under the new one.
fingerprints: of the current pepper and the others, 32 bytes each, derived from the pepper (HKDF), from which it cannot be computed.$$;
grant execute on function startup.check_pepper(bytea[]) to latchkey_server, latchkey_worker;
