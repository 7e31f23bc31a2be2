create or replace function private.open_session(sign_in private.sign_in)
returns api.session_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_session "user".session;
  v_answer api.session_answer;
  v_restored boolean := false;
  v_keeps_client boolean := private.setting('SESSION_CLIENT_DETAILS') = '"on"';
begin
  if sign_in.user_id is not null and private.acr(sign_in.amr) is distinct from 'aal2' and private.asks_for_factor(sign_in.user_id) then
    v_answer.error := private.challenge_sign_in(sign_in);
    return v_answer;
  end if;
  v_answer.error := private.promote_guest(sign_in.guest_session_id, sign_in.user_id);
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  if sign_in.user_id is not null then
    update "user".account a set deletion_due_at = null where a.id = sign_in.user_id and a.deletion_due_at is not null;
    v_restored := found;
    perform private.remember_client(sign_in.user_id, sign_in.client);
  end if;
  -- The trigger "user".complete_session fills in ids and lifetimes.
  insert into "user".session as s (user_id, amr, authenticated_at, client, user_agent, label)
  values (
    sign_in.user_id, sign_in.amr, case when sign_in.amr is not null then clock_timestamp() end,
    case when v_keeps_client then sign_in.client end, case when v_keeps_client then sign_in.user_agent end, sign_in.label
  )
  returning s.* into v_session;
  v_answer := private.session_answer(v_session);
  v_answer.promoted_session_id := sign_in.guest_session_id;
  v_answer.restored := v_restored;
  return v_answer;
end
$$;

comment on function private.open_session(private.sign_in) is
$$Opens a session with fresh token ids and both lifetimes from now. A guest who signs in loses its own session in the same transaction,
an account that was to be deleted is restored, and the client is known from now on (private.is_known_client).
The caller has locked the account, before the guest's session: a sign-in that waits for the account must not hold that session
meanwhile. An account with a second factor gets a challenge in place of a session, and its guest waits for the second step: this is the one place that
decides it. Errors: those of private.guest_error and private.challenge_sign_in, and nothing is opened.$$;
