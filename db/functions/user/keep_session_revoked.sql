create or replace function "user".keep_session_revoked()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'a revocation only ever moves forward' using errcode = 'check_violation', constraint = 'session_stays_revoked';
end
$$;

comment on function "user".keep_session_revoked() is
$$Trigger of "user".session: a revoked session stays revoked, whichever role updates it.$$;

create or replace trigger keep_session_revoked before update of revoked_at on "user".session
  for each row when (old.revoked_at is not null and (new.revoked_at is null or new.revoked_at < old.revoked_at))
  execute function "user".keep_session_revoked();
