create or replace function private.use_totp(factors "user".factor[], attempt private.factor_attempt)
returns uuid
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_secret_bytes constant integer := 20;
  c_id_bytes constant integer := 8;
  v_factor "user".factor;
  v_opened bytea;
  v_step bigint;
begin
  foreach v_factor in array use_totp.factors loop
    v_opened := attempt.factor_secrets[array_position(attempt.factor_ids, v_factor.id)];
    v_step := private.totp_step(substr(v_opened, 1, c_secret_bytes), attempt.code, v_factor.last_step);
    if v_step is not null then
      update "user".factor f
      set last_step = v_step, last_used_at = clock_timestamp(),
          pepper_id = coalesce(nullif(encode(substr(v_opened, c_secret_bytes + 1, c_id_bytes), 'hex'), ''), f.pepper_id),
          sealed_secret = coalesce(nullif(substr(v_opened, c_secret_bytes + c_id_bytes + 1), ''), f.sealed_secret)
      where f.id = v_factor.id;
      return v_factor.id;
    end if;
  end loop;
  return null;
end
$$;

comment on function private.use_totp("user".factor[], private.factor_attempt) is
$$Which of a user's apps has made a code, and uses up its step; null: none of them. factors: read while the caller holds the account's
row, so that one code is used once. One whose secret the server was not asked for has made none. Of attempt.factor_secrets each is a
secret of 20 bytes; behind one that HASH_PEPPER's current pepper has to encrypt, its id (8 bytes) and the secret as it is stored from now on.$$;
