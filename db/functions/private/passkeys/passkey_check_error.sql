create or replace function private.passkey_check_error(ceremony text, challenge private.factor_challenge, public_key bytea, is_signed boolean)
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if passkey_check_error.is_signed is not null then
    return null;
  end if;
  return private.error('PASSKEY_CHECK_REQUIRED', jsonb_build_object(
    'ceremony', passkey_check_error.ceremony,
    -- Where none was made, one that nobody can have signed: an empty one, signed once, would sign in for ever.
    'challenge', private.base64url(coalesce(challenge.webauthn_challenge, crypto.gen_random_bytes(32))),
    'public_key', encode(passkey_check_error.public_key, 'hex')
  ));
end
$$;

comment on function private.passkey_check_error(text, private.factor_challenge, bytea, boolean) is
$$Asks the server whether a passkey has signed a challenge: it verifies the signature, outside of any transaction, and makes the same call
again. Never an answer to a client. ceremony: create or get. public_key: of the passkey that is used; null where it is new or unknown, for
which the server does the same work. Result: null where it is not needed. Errors: PASSKEY_CHECK_REQUIRED, for the server alone.$$;
