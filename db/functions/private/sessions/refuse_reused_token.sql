create or replace function private.refuse_reused_token(session "user".session, client text, user_agent text)
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_policy jsonb := private.setting('REFRESH_REUSE_POLICY');
  v_holds_current_tokens boolean :=
    session.client = refuse_reused_token.client and session.user_agent is not distinct from refuse_reused_token.user_agent;
begin
  -- Refreshed after the moment of a restored backup: the row knows an older token, which may be stolen.
  if private.needs_refresh(session) then
    v_policy := '"revoke"';
  end if;
  if v_policy = '"refuse"' or v_policy = '"same-client"' and v_holds_current_tokens then
    -- Whoever has an old token may send it as often as it likes.
    update "user".session s set reuse_detected_at = clock_timestamp()
    where s.id = session.id and (s.reuse_detected_at > clock_timestamp() - interval '1 hour') is not true;
    if found then
      perform private.record_event(
        'session.reuse_detected', session.user_id, session.id, jsonb_build_object('is_revoked', false), refuse_reused_token.client
      );
    end if;
    return private.error('SESSION_NOT_FOUND', jsonb_build_object('reason', 'token_replaced'));
  end if;
  -- Returned, not raised: a raise would roll the revocation back.
  perform private.record_event(
    'session.reuse_detected', session.user_id, session.id, jsonb_build_object('is_revoked', true), refuse_reused_token.client
  );
  perform private.revoke_session(session.id, 'token_reused', refuse_reused_token.client);
  return private.error('SESSION_REVOKED', jsonb_build_object('reason', 'token_reused'));
end
$$;

comment on function private.refuse_reused_token("user".session, text, text) is
$$Applies REFRESH_REUSE_POLICY to a refresh token that was replaced before the grace: revokes the session, or refuses this request
alone. same-client compares the request with the one that the session's current tokens were issued to: after a theft either thief or
owner has these, and the other one sends the old token. A session without client details is revoked.
A session that has not refreshed since a restore is revoked whatever the policy.
session: a row that the caller has locked. Errors: SESSION_REVOKED (details.reason
token_reused), SESSION_NOT_FOUND (details.reason token_replaced).$$;
