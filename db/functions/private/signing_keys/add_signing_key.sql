create or replace function private.add_signing_key(kid text, algorithm text, sealed_key bytea, encryption_key_id text)
returns text
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from private.signing_key k where k.verifies_until < clock_timestamp();
  if exists (select from private.signing_key k where k.state = 'next') then
    return 'There is a next key already: promote it, or retire it.';
  end if;
  insert into private.signing_key (kid, algorithm, state, sealed_key, encryption_key_id, created_at)
  values (
    add_signing_key.kid, add_signing_key.algorithm, 'next', add_signing_key.sealed_key, add_signing_key.encryption_key_id, clock_timestamp()
  );
  notify signing_keys_changed;
  return null;
end
$$;

comment on function private.add_signing_key(text, text, bytea, text) is
$$npm run keys -- generate: adds the next key, and forgets keys that have nothing left to verify. kid, algorithm, sealed_key, encryption_key_id: as
private.signing_key. Result: why not, for the operator; null: done.$$;
