create or replace function private.token_claims(claims jsonb)
returns jsonb
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  c_uuid constant text := '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
  -- Claim role may hold what another program calls the role (CLAIMS_ROLE_MAP).
  v_user_type text := coalesce(claims ->> 'user_type', claims ->> 'role');
begin
  if claims ->> 'iss' <> (select i.token_issuer from private.installation i) or claims ->> 'token_use' <> 'access' then
    return null;
  end if;
  if claims ? 'exp' and (case jsonb_typeof(claims -> 'exp') when 'number' then to_timestamp((claims ->> 'exp')::float8) <= now() else true end) then
    return null;
  end if;
  if claims ->> 'sub' ~ c_uuid and claims ->> 'sid' ~ c_uuid and (
    v_user_type = 'user' or v_user_type = 'guest' and lower(claims ->> 'sub') = lower(claims ->> 'sid')
  ) then
    return claims || jsonb_build_object('user_type', v_user_type);
  end if;
  return null;
end
$$;

comment on function private.token_claims(jsonb) is
$$Claims of an access token of this service, with user_type; null for all others: of another issuer, of a refresh token, expired, without the ids
of a session. Issuer, use and end are compared where they are given: the application vouches for a token that it verified
(latchkey.begin_session), and Hasura for its variables; of PostgREST's setting private.postgrest_claims requires them. claims: may be anything.$$;
