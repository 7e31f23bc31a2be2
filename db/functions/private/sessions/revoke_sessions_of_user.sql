create or replace function private.revoke_sessions_of_user(user_id uuid, kept_session_ids uuid[] default '{}', reason text default null)
returns setof "user".session
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most_written constant integer := 1000;
  v_epoch integer;
  v_ended uuid[];
begin
  -- This ends all of them, however many there are. It locks the account, as a login does: the session that the login
  -- opens has the old number, or is opened afterwards.
  update "user".account a set session_epoch = a.session_epoch + 1
  where a.id = revoke_sessions_of_user.user_id
  returning a.session_epoch - 1 into v_epoch;

  -- Who ends the session that asked for another phone, as by a new password, does not want that change either.
  perform private.stop_phone_change(revoke_sessions_of_user.user_id, revoke_sessions_of_user.kept_session_ids);

  v_ended := array(
    select s.id from "user".session s
    where s.user_id = revoke_sessions_of_user.user_id and s.session_epoch = v_epoch and s.revoked_at is null
      and s.id <> all (revoke_sessions_of_user.kept_session_ids)
    order by s.created_at desc, s.id desc
    limit c_most_written + 1
  );
  if cardinality(v_ended) > c_most_written then
    -- private.mark_ended_sessions writes the others.
    update "user".account a set sessions_ended_at = clock_timestamp() where a.id = revoke_sessions_of_user.user_id;
  end if;

  if cardinality(v_ended) > 0 then
    perform private.record_event('session.revoked', revoke_sessions_of_user.user_id, null, jsonb_build_object(
      'reason', revoke_sessions_of_user.reason,
      'sessions', least(cardinality(v_ended), c_most_written),
      'are_more', nullif(cardinality(v_ended) > c_most_written, false),
      'kept', to_jsonb(nullif(revoke_sessions_of_user.kept_session_ids, '{}'))
    ));
  end if;

  -- Locked in the order of their ids, so that it cannot deadlock with another statement that updates several. A session
  -- that stays has the new number from now on, unless it ended before.
  return query
  with touched as (
    select s.id, s.id = any (revoke_sessions_of_user.kept_session_ids) as is_kept from "user".session s
    where s.id = any (v_ended[:c_most_written] || revoke_sessions_of_user.kept_session_ids)
      and s.user_id = revoke_sessions_of_user.user_id and s.session_epoch = v_epoch and s.revoked_at is null
    order by s.id
    for no key update
  ), written as (
    update "user".session s
    set session_epoch = case when t.is_kept then v_epoch + 1 else v_epoch end,
        revoked_at = case when not t.is_kept then clock_timestamp() end
    from touched t
    where s.id = t.id
    returning s.*
  )
  select w.* from written w where w.revoked_at is not null;
end
$$;

comment on function private.revoke_sessions_of_user(uuid, uuid[], text) is
$$Revokes every session of an account but those to keep, in the same time for any number of them: what a session is compared with changes
(private.session_error). Of the rows, only the newest 1000 get their revoked_at at once, and are the result; the clean-up writes the others.
A change of phone that a revoked one asked for without the password is stopped.
kept_session_ids: live sessions of the account. The caller has looked at them under the account's lock. reason: of the event, of which
there is one for all of them; null: none.$$;
