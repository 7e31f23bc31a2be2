create or replace function private.database_origin()
returns private.database_origin
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_origin private.database_origin;
begin
  -- Ours alone: "create database … template" and pg_upgrade keep it, pg_restore gives it another one.
  v_origin.table_id := 'private.installation'::regclass::oid::bigint;
  begin
    v_origin.system_identifier := (pg_control_system()).system_identifier;
  exception
    when insufficient_privilege or feature_not_supported or undefined_function then null;
  end;
  begin
    -- The name of the present WAL file begins with the timeline. pg_control_checkpoint() would tell it only after the next checkpoint.
    v_origin.timeline := ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint;
  exception
    when insufficient_privilege or feature_not_supported or undefined_function or object_not_in_prerequisite_state then null;
  end;
  return v_origin;
end
$$;

comment on function private.database_origin() is
$$Which copy of the data this is. PostgreSQL lets every role call the functions that tell it; where a hosting service does not, that part is null,
and nothing is concluded from it.$$;
