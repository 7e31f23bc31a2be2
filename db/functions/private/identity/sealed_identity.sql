create or replace function private.sealed_identity(sealed text)
returns jsonb
language plpgsql stable parallel restricted
set search_path = pg_catalog, pg_temp
as $$
begin
  if left(sealed, 64) = private.identity_signature(substr(sealed, 65)) then
    return substr(sealed, 65)::jsonb;
  end if;
  return null;
end
$$;

comment on function private.sealed_identity(text) is
$$The claims that private.seal_identity stored in this transaction; null for everything else. sealed: setting latchkey.identity.$$;
