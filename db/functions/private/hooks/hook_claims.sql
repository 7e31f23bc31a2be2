create or replace function private.hook_claims(user_id uuid, session_id uuid)
returns jsonb
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- RFC 7519, RFC 9068, OpenID Connect, and those of our own tokens and variables.
  c_registered constant text[] := array[
    'iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'client_id', 'scope', 'auth_time', 'acr', 'amr', 'azp', 'nonce', 'at_hash', 'c_hash', 'cnf',
    'act', 'sid', 'role', 'user_type', 'token_use', 'https://hasura.io/jwt/claims', 'user_id', 'user-id', 'session_id', 'session-id',
    'default_role', 'default-role', 'allowed_roles', 'allowed-roles', 'claims'
  ];
  c_most_bytes constant integer := 2048;
  v_claims jsonb := private.call_hook('claims', array['uuid', 'uuid'], 'jsonb', hook_claims.user_id::text, hook_claims.session_id::text)::jsonb;
  v_registered text;
  v_fault text;
begin
  if v_claims is null then
    return null;
  end if;
  if jsonb_typeof(v_claims) = 'object' then
    select min(k.name) into v_registered from jsonb_object_keys(v_claims) k (name) where lower(k.name) = any (c_registered);
  end if;
  v_fault := case
    when jsonb_typeof(v_claims) <> 'object' then 'it must return an object'
    when octet_length(v_claims::text) > c_most_bytes then format('it returned %s bytes, and %s are allowed', octet_length(v_claims::text), c_most_bytes)
    -- Without case, as variables of Hasura have their names: User_Id would be x-hasura-user-id.
    when v_registered is not null then format('it must not return the claim %s', v_registered)
    when v_claims ? 'roles' and not private.are_role_names(v_claims -> 'roles') then 'claim roles must be an array of names'
  end;
  if v_fault is not null then
    raise exception 'hook.claims failed: %', v_fault using errcode = 'HK000';
  end if;
  return v_claims;
end
$$;

comment on function private.hook_claims(uuid, uuid) is
$$What hook.claims adds to an access token; null where there is no such hook, or it returns null. user_id: null for a guest. An error HK000 where it
returns no object, more than 2 KiB, a claim that means something already, or roles that are no names.$$;
