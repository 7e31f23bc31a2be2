create or replace function private.passkey_descriptors(user_id uuid)
returns jsonb
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'type', 'public-key', 'id', private.base64url(f.credential_id), 'transports', to_jsonb(f.transports)
  )) order by f.credential_id), '[]')
  from "user".factor f where f.user_id = passkey_descriptors.user_id and f.kind = 'passkey'
$$;

comment on function private.passkey_descriptors(uuid) is
$$A user's passkeys as WebAuthn's options list them (PublicKeyCredentialDescriptorJSON); an empty array where there are none.$$;
