create or replace function private.request_options(challenge private.factor_challenge, rp_id text)
returns jsonb
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return jsonb_build_object(
    'rpId', request_options.rp_id,
    'challenge', private.base64url(challenge.webauthn_challenge),
    'timeout', extract(epoch from private.challenge_lifetime())::integer * 1000,
    'allowCredentials', private.passkey_descriptors(challenge.user_id),
    'userVerification', case when challenge.user_id is null then 'required' else 'preferred' end
  );
end
$$;

comment on function private.request_options(private.factor_challenge, text) is
$$What a browser is to use a passkey by (WebAuthn's PublicKeyCredentialRequestOptionsJSON). Where no user is known, any passkey of the domain
will do, and it has to verify its user. rp_id: the domain that passkeys belong to.$$;
