create or replace function private.import_user(imported private.imported_user, password_hash text)
returns private.import_outcome
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_id uuid := private.imported_id(imported);
begin
  if v_id is not null then
    return row('present', v_id)::private.import_outcome;
  end if;
  insert into "user".account as a (
    id, external_id, phone, email, password_hash, foreign_parameters, phone_verified_at, created_at, updated_at, import_fingerprint
  )
  values (
    coalesce(imported.id, private.new_id()), imported.external_id, imported.phone, imported.email, import_user.password_hash,
    imported.foreign_parameters, v_now, coalesce(imported.created_at, v_now), v_now, imported.fingerprint
  )
  on conflict do nothing
  returning a.id into v_id;
  if v_id is null then
    -- Checked again, because a batch at the same time may have imported the same line.
    v_id := private.imported_id(imported);
    return row(
      case
        when v_id is not null then 'present'
        when exists (select from "user".account a where a.phone = imported.phone) then 'phone_taken'
        when exists (select from "user".account a where a.id = imported.id) then 'id_taken'
        else 'external_id_taken'
      end, v_id
    )::private.import_outcome;
  end if;
  delete from private.pending_registration r where r.phone = imported.phone;
  return row('imported', v_id)::private.import_outcome;
end
$$;

comment on function private.import_user(private.imported_user, text) is
$$Makes the account of an imported user, whose phone counts as verified and which counts as used today, whatever created_at says.
imported: with the id and external_id that the account is to keep, where the line has them. password_hash:
private.hash_imported_password. Result: private.import_outcome.$$;
