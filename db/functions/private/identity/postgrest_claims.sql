create or replace function private.postgrest_claims(claims jsonb)
returns jsonb
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  -- PostgREST verifies a signature and an end if there is one. Its keys may sign other programs' tokens, which do not say whose they are.
  if claims ->> 'iss' = (select i.token_issuer from private.installation i) and claims ->> 'token_use' = 'access' and claims ? 'exp' then
    return private.token_claims(postgrest_claims.claims);
  end if;
  return null;
end
$$;

comment on function private.postgrest_claims(jsonb) is
$$The claims of setting request.jwt.claims, with user_type; null for all but those of an access token of this service that names its issuer, its use
and its end, as each of ours does. claims: may be anything.$$;
