create or replace function private.use_recovery_code(user_id uuid, attempt private.factor_attempt)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  update private.recovery_code c set used_at = clock_timestamp()
  where c.user_id = use_recovery_code.user_id and c.used_at is null
    -- O, I and L are no letters of a code: people type them for 0 and 1.
    and c.code_hash = private.hash_code(
      use_recovery_code.user_id, translate(upper(attempt.recovery_code), 'OIL', '011'), private.code_key_for(attempt.code_key, c.code_hash)
    );
  return found;
end
$$;

comment on function private.use_recovery_code(uuid, private.factor_attempt) is
$$Uses up a user's recovery code; false where it is none, or was used. In any case of letters.$$;
