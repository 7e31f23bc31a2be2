create or replace function private.use_totp(factors "user".factor[], attempt private.factor_attempt)
returns uuid
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_factor "user".factor;
  v_step bigint;
begin
  foreach v_factor in array use_totp.factors loop
    v_step := private.totp_step(
      attempt.factor_secrets[array_position(attempt.factor_ids, v_factor.id)], attempt.code, v_factor.last_step
    );
    if v_step is not null then
      update "user".factor f set last_step = v_step, last_used_at = clock_timestamp() where f.id = v_factor.id;
      return v_factor.id;
    end if;
  end loop;
  return null;
end
$$;

comment on function private.use_totp("user".factor[], private.factor_attempt) is
$$Which of a user's apps has made a code, and uses up its step; null: none of them. factors: read while the caller holds the account's
row, so that one code is used once. One whose secret the server was not asked for has made none.$$;
