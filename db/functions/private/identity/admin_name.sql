create or replace function private.admin_name()
returns text
language plpgsql stable parallel restricted
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Elsewhere the sealed claims are those of a token, to which a hook may add any name.
  if session_user in ('latchkey_graphql', 'latchkey_graphql_b') then
    return private.sealed_identity(current_setting('latchkey.identity', true)) ->> 'admin_name';
  end if;
  return null;
end
$$;

comment on function private.admin_name() is
$$The name, of ADMIN_SECRETS, of the admin whose GraphQL request this transaction is, also while the admin acts as a guest or user. Null where the
secret has no name, and for everybody else. GraphQL's program seals it with the caller's claims (graphql/engine/execution/statements.ts).$$;
