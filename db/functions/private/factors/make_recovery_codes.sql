create or replace function private.make_recovery_codes(user_id uuid, code_key bytea)
returns text[]
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_number constant integer := 10;
  v_codes text[] := array(select private.make_recovery_code() from generate_series(1, c_number));
begin
  delete from private.recovery_code c where c.user_id = make_recovery_codes.user_id;
  insert into private.recovery_code (user_id, code_hash)
  select make_recovery_codes.user_id, private.hash_code(make_recovery_codes.user_id, c, make_recovery_codes.code_key)
  from unnest(v_codes) c;
  perform private.record_event('recovery_codes.made', make_recovery_codes.user_id);
  return array(select left(c, 5) || '-' || substr(c, 6) from unnest(v_codes) c);
end
$$;

comment on function private.make_recovery_codes(uuid, bytea) is
$$Ten recovery codes in place of a user's earlier ones, as they are shown: only their hashes are stored. The caller has locked the account.
code_key: as private.hash_code.$$;
