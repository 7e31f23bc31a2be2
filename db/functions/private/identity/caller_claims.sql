create or replace function private.caller_claims()
returns jsonb
language plpgsql stable parallel restricted
set search_path = pg_catalog, pg_temp
as $$
declare
  v_sealed text := current_setting('latchkey.identity', true);
  v_token text := current_setting('request.jwt.claims', true);
  v_variables text := current_setting('hasura.user', true);
begin
  -- The first source that is there counts, whatever it holds: a refused one must not be replaced by the next.
  if v_sealed <> '' then
    return private.sealed_identity(v_sealed);
  end if;
  -- Not current_user: a definer function changes that, and another program may use the same roles.
  if session_user in ('latchkey_graphql', 'latchkey_graphql_b') then
    return null;
  end if;
  if v_token <> '' then
    return case when v_token ~ '^\s*\{.*\}\s*$' then private.postgrest_claims(v_token::jsonb) end;
  end if;
  return case when v_variables ~ '^\s*\{.*\}\s*$' then private.hasura_claims(v_variables::jsonb) end;
end
$$;

comment on function private.caller_claims() is
$$The claims of the caller, with sub, sid and user_type; null or {} for nobody. In a session of GraphQL's login role only what GraphQL's program
sealed counts; elsewhere what latchkey.begin_session sealed, else request.jwt.claims (PostgREST), else hasura.user.$$;
