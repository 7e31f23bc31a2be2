create or replace function private.lock_factor_change(session_id uuid, user_id uuid)
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_error api.error;
begin
  v_error := coalesce(
    private.user_session_error(lock_factor_change.session_id, lock_factor_change.user_id),
    private.step_up_error(lock_factor_change.session_id, lock_factor_change.user_id),
    -- Before the account is locked: the fixed order of locks.
    private.rate_limit_error(private.take_rate_limits(array[
      private.rate_limit_rule('FACTOR_CHANGES_PER_USER', lock_factor_change.user_id::text)
    ]))
  );
  if v_error is distinct from null then
    return v_error;
  end if;
  perform private.lock_account(lock_factor_change.user_id);
  -- Read again: while this waited, another request may have ended the session.
  return coalesce(
    private.user_session_error(lock_factor_change.session_id, lock_factor_change.user_id),
    private.step_up_error(lock_factor_change.session_id, lock_factor_change.user_id)
  );
end
$$;

comment on function private.lock_factor_change(uuid, uuid) is
$$Locks an account of which a session is about to add a second factor, or make recovery codes, and counts that: each is an event that nobody can
delete for a year. Who removes one has added it. session_id, user_id: claims sid and sub of a verified access token. Errors: those of
private.user_session_error and private.step_up_error; RATE_LIMIT_EXCEEDED (FACTOR_CHANGES_PER_USER).$$;
