create or replace function api.begin_passkey_enrolment(session_id uuid, user_id uuid, rp_id text)
returns api.passkey_options_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.passkey_options_answer;
  v_challenge private.factor_challenge;
  v_account "user".account;
begin
  v_answer.error := coalesce(
    private.passkey_error(begin_passkey_enrolment.rp_id),
    private.lock_factor_change(begin_passkey_enrolment.session_id, begin_passkey_enrolment.user_id),
    private.factor_room_error(begin_passkey_enrolment.user_id)
  );
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  select a.* into v_account from "user".account a where a.id = begin_passkey_enrolment.user_id;
  v_challenge := private.new_challenge('enrol', begin_passkey_enrolment.user_id, begin_passkey_enrolment.session_id);
  v_answer.challenge_id := v_challenge.id;
  v_answer.options := private.creation_options(v_account, v_challenge, begin_passkey_enrolment.rp_id);
  return v_answer;
end
$$;

comment on function api.begin_passkey_enrolment(uuid, uuid, text) is
$$POST /api/v1/auth/factors/passkey/options: what a browser is to make a passkey by. session_id, user_id: claims sid and sub of a verified
access token. rp_id: the domain that passkeys belong to, or null. Errors: those of private.passkey_error,
private.lock_factor_change and private.factor_room_error.$$;
grant execute on function api.begin_passkey_enrolment(uuid, uuid, text) to latchkey_server;
