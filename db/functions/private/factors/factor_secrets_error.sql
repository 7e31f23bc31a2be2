create or replace function private.factor_secrets_error(factors "user".factor[], attempt private.factor_attempt)
returns api.error
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if attempt.code is null or attempt.factor_secrets is not null then
    return null;
  end if;
  return private.error('FACTOR_SECRETS_REQUIRED', jsonb_build_object('factors', (
    select jsonb_agg(jsonb_build_object(
      'factor_id', f.id, 'user_id', f.user_id, 'sealed_secret', encode(f.sealed_secret, 'hex'), 'pepper_id', f.pepper_id
    ))
    from unnest(factor_secrets_error.factors) f
    where f.kind = 'totp'
  )));
end
$$;

comment on function private.factor_secrets_error("user".factor[], private.factor_attempt) is
$$Asks the server for the secrets of apps whose code is to be checked: it decrypts them and makes the same call again. Never an answer to a
client. Result: null where it is not needed. Errors: FACTOR_SECRETS_REQUIRED, for the server alone.$$;
