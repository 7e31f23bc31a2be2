create or replace function private.creation_options(account "user".account, challenge private.factor_challenge, rp_id text)
returns jsonb
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_name text := coalesce(account.phone, account.email, account.id::text);
begin
  return jsonb_build_object(
    'rp', jsonb_build_object('id', creation_options.rp_id, 'name', creation_options.rp_id),
    'user', jsonb_build_object('id', private.base64url(uuid_send(account.id)), 'name', v_name, 'displayName', v_name),
    'challenge', private.base64url(challenge.webauthn_challenge),
    -- EdDSA, ES256, RS256: what the server verifies.
    'pubKeyCredParams', (select jsonb_agg(jsonb_build_object('type', 'public-key', 'alg', a)) from unnest(array[-8, -7, -257]) a),
    'timeout', extract(epoch from private.challenge_lifetime())::integer * 1000,
    'excludeCredentials', private.passkey_descriptors(account.id),
    -- One that can be found without a name signs in by itself; one that cannot is a second factor.
    'authenticatorSelection', jsonb_build_object('residentKey', 'preferred', 'requireResidentKey', false, 'userVerification', 'preferred'),
    'attestation', 'none'
  );
end
$$;

comment on function private.creation_options("user".account, private.factor_challenge, text) is
$$What a browser is to make a passkey by (WebAuthn's PublicKeyCredentialCreationOptionsJSON). The user's handle is the account's id, which
says nothing of the person. rp_id: the domain that passkeys belong to.$$;
