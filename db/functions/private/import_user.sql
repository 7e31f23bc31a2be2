create or replace function private.import_user(imported private.imported_user, password_hash text)
returns text
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  if private.is_imported(imported) then
    return 'present';
  end if;
  insert into "user".account as a (
    id, phone, email, password_hash, foreign_parameters, phone_verified_at, created_at, updated_at, import_fingerprint
  )
  values (
    private.new_id(), imported.phone, imported.email, import_user.password_hash, imported.foreign_parameters, v_now,
    coalesce(imported.created_at, v_now), v_now, imported.fingerprint
  )
  on conflict do nothing;
  if not found then
    -- Checked again, because a batch at the same time may have imported the same line.
    return case when private.is_imported(imported) then 'present' else 'phone_taken' end;
  end if;
  delete from private.pending_registration r where r.phone = imported.phone;
  return 'imported';
end
$$;

comment on function private.import_user(private.imported_user, text) is
$$Makes the account of an imported user, whose phone counts as verified and which counts as used today, whatever created_at says.
password_hash: private.hash_imported_password. Result: imported; present: the same line was imported before; phone_taken: the phone has
another account.$$;
