create or replace function private.hasura_claims(variables jsonb)
returns jsonb
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  c_ids constant text[] := array['x-hasura-user-id', 'x-hasura-session-id', 'x-hasura-default-role', 'x-hasura-allowed-roles', 'x-hasura-claims'];
  v_role text := variables ->> 'x-hasura-role';
  v_user_id text := variables ->> 'x-hasura-user-id';
  v_session_id text := variables ->> 'x-hasura-session-id';
  v_typed text := variables ->> 'x-hasura-claims';
  v_type text := case when v_role = 'admin' then 'admin' when v_user_id is null then 'guest' else 'user' end;
  v_claims jsonb;
begin
  if v_role in ('guest', 'user') and v_role <> v_type then
    return null;
  end if;
  select jsonb_object_agg(replace(substr(v.name, 10), '-', '_'), v.value) into v_claims from jsonb_each(variables) v (name, value)
  where v.name like 'x-hasura-_%' and v.name <> all (c_ids);
  if v_claims ->> 'roles' ~ '^\{.*\}$' then
    v_claims := v_claims || jsonb_build_object('roles', to_jsonb((v_claims ->> 'roles')::text[]));
  end if;
  -- From the webhook, with the types that hook.claims gave them.
  if v_typed ~ '^\{.*\}$' then
    v_claims := v_claims || v_typed::jsonb;
  end if;
  v_claims := v_claims || jsonb_build_object('role', v_type, 'user_type', v_type);
  if v_type = 'admin' then
    return v_claims;
  end if;
  if v_role <> v_type then
    v_claims := v_claims || jsonb_build_object('roles', (case jsonb_typeof(v_claims -> 'roles') when 'array' then v_claims -> 'roles' else '[]' end) || to_jsonb(v_role));
  end if;
  return private.token_claims(v_claims || jsonb_build_object('sub', coalesce(v_user_id, v_session_id), 'sid', v_session_id));
end
$$;

comment on function private.hasura_claims(jsonb) is
$$The session variables of a Hasura engine as the claims of a token; null where they name no session of ours, nor Hasura's admin. A variable
x-hasura-org-id is claim org_id: a string, unless x-hasura-claims has it. A role that is not one of ours is one of the caller's roles. variables:
setting hasura.user.$$;
