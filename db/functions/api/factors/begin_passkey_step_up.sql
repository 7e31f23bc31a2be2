create or replace function api.begin_passkey_step_up(session_id uuid, user_id uuid, rp_id text)
returns api.passkey_options_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.passkey_options_answer;
  v_challenge private.factor_challenge;
begin
  perform private.lock_account(begin_passkey_step_up.user_id);
  v_answer.error := coalesce(
    private.passkey_error(begin_passkey_step_up.rp_id),
    private.user_session_error(begin_passkey_step_up.session_id, begin_passkey_step_up.user_id)
  );
  if v_answer.error is null and private.passkey_descriptors(begin_passkey_step_up.user_id) = '[]' then
    v_answer.error := private.error('INVALID_REQUEST', jsonb_build_object('reason', 'factor_not_found'));
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  v_challenge := private.new_challenge('step_up', begin_passkey_step_up.user_id, begin_passkey_step_up.session_id);
  v_answer.challenge_id := v_challenge.id;
  v_answer.options := private.request_options(v_challenge, begin_passkey_step_up.rp_id);
  return v_answer;
end
$$;

comment on function api.begin_passkey_step_up(uuid, uuid, text) is
$$POST /api/v1/auth/session/step-up/options: what a browser is to use one of the caller's passkeys by, to prove again who the session's user is.
session_id, user_id: claims sid and sub of a verified access token. rp_id: the domain that passkeys belong to, or null.
Errors: those of private.passkey_error and private.user_session_error; INVALID_REQUEST (details.reason factor_not_found: the user has no passkey).$$;
grant execute on function api.begin_passkey_step_up(uuid, uuid, text) to latchkey_server;
