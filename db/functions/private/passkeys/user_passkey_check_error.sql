create or replace function private.user_passkey_check_error(challenge private.factor_challenge, attempt private.passkey_attempt)
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_public_key bytea;
begin
  if attempt.credential_id is null then
    return null;
  end if;
  select f.public_key into v_public_key from "user".factor f
  where f.user_id = challenge.user_id and f.credential_id = attempt.credential_id;
  return private.passkey_check_error('get', challenge, v_public_key, attempt.is_signed);
end
$$;

comment on function private.user_passkey_check_error(private.factor_challenge, private.passkey_attempt) is
$$private.passkey_check_error for one of the challenge's user's passkeys; null too where no passkey answers. Errors: that of
private.passkey_check_error, for the server alone.$$;
