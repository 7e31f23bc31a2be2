create or replace function private.use_proof(digest bytea)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into private.used_proof (digest, used_at) values (use_proof.digest, clock_timestamp())
  on conflict on constraint used_proof_pkey do nothing;
  return found;
end
$$;

comment on function private.use_proof(bytea) is
$$Takes a proof, which counts once: false where it was taken before, by whatever server. digest: 32 bytes.$$;
