create or replace function "user".keep_session_revoked()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  -- The admin's clock may be a little ahead of PostgreSQL's.
  c_clock_difference constant interval := interval '1 minute';
begin
  if old.revoked_at is not null and (new.revoked_at is null or new.revoked_at < old.revoked_at) then
    raise exception 'a revocation only ever moves forward' using errcode = 'check_violation', constraint = 'session_stays_revoked';
  end if;
  -- A session counts as revoked from the moment that revoked_at has a value, and clients show an infinite one as null.
  if not isfinite(new.revoked_at) or new.revoked_at > clock_timestamp() + c_clock_difference then
    raise exception 'a session is revoked now or was before'
      using errcode = 'check_violation', constraint = 'session_is_revoked_in_the_past';
  end if;
  return new;
end
$$;

comment on function "user".keep_session_revoked() is
$$Trigger of "user".session: a revoked session stays revoked, whichever role updates it, and revoked_at is a moment in the past.$$;

create or replace trigger keep_session_revoked before update of revoked_at on "user".session
  for each row when (new.revoked_at is distinct from old.revoked_at)
  execute function "user".keep_session_revoked();
