create or replace function platform.after_restore(at timestamptz default null)
returns setof text
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  -- The step that a phone shows now, and one that its fast clock may show.
  v_last_step bigint := floor(extract(epoch from clock_timestamp()) / 30)::bigint + 1;
  v_installation private.installation;
  v_at timestamptz;
  v_now timestamptz;
begin
  insert into private.installation (is_one) values (true) on conflict on constraint installation_pkey do nothing;
  select i.* into v_installation from private.installation i for update;
  v_now := clock_timestamp();
  v_at := coalesce(after_restore.at, v_installation.marked_at, v_now);
  -- What a process marked is believed, also where this machine's clock is behind: a migration has to go on.
  if not isfinite(after_restore.at) or after_restore.at > v_now + interval '1 minute' then
    raise exception 'at is the moment to which the database was restored: it cannot be in the future' using errcode = 'invalid_parameter_value';
  end if;
  -- Called again for the same restore.
  if private.restore_kind() is null and exists (select from private.restore r where r.at = v_at and not r.is_failover) then
    return;
  end if;

  perform private.void_codes();
  -- One that its owner has stopped since would be carried out.
  delete from private.phone_recovery;
  update "user".factor f set last_step = greatest(f.last_step, v_last_step) where f.kind = 'totp';
  -- Who has come back since has no row that says so: they get as much time again.
  update "user".account a set deletion_due_at = a.deletion_due_at + greatest(v_now - v_at, interval '0') where a.deletion_due_at is not null;
  delete from private.worker_heartbeat;
  -- Else tokens of a later time than this clock's would not be older than the restore.
  if v_at > v_now then
    update "user".session s set rotated_at = v_now where coalesce(s.rotated_at, s.created_at) > v_now and s.revoked_at is null;
  end if;
  insert into private.restore (settled_at, at, is_failover) values (v_now, v_at, false);
  update private.installation
  -- Never back: who has seen the mark would take that for another restore.
  set origin = private.database_origin(), marked_at = greatest(v_installation.marked_at, clock_timestamp()), restore_noticed_at = null,
      sessions_refresh_after = clock_timestamp();
  return next format(
    'restored: the data are of %s. Codes, waiting messages and changes of phone without the password have ended, and every session has to '
    || 'refresh its tokens. Sessions that were revoked since are live again: apply what your subscribers know by '
    || 'platform.apply_revocations(…), or end all of them (docs/backup.md)',
    private.written_time(v_at)
  );
  if v_at > v_now then
    return next format(
      'the clock of this machine, %s, is behind the latest mark in the data: set the clock. Until it has passed that mark, what happens has times before it',
      private.written_time(v_now)
    );
  end if;
  return query select format(
    'keys that verify tokens came back with the data: %s. Retire again what you have retired since: npm run keys -- retire <kid> --now',
    string_agg(format('%s (%s)', k.kid, k.state), ', ' order by k.created_at)
  ) from private.signing_key k where k.verifies_until is null or k.verifies_until > v_now having count(*) > 0;
end
$$;

comment on function platform.after_restore(timestamptz) is
$$Settles what a restore has turned back; the migration calls it where it notices one, and the migrator may call it after one that cannot be noticed,
such as of copied files. No code, no message and no access token from before works afterwards; docs/backup.md has each table. A second call for
the same moment changes nothing. at: the moment of the restored data; null: the latest mark of a process in them,
also where it is later than this machine's clock, which a line then says.
Result: what was done, as a line to print; nothing where it had been done.$$;
