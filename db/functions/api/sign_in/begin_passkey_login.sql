create or replace function api.begin_passkey_login(client text, rp_id text)
returns api.passkey_options_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.passkey_options_answer;
  v_challenge private.factor_challenge;
begin
  v_answer.error := private.passkey_sign_in_error(begin_passkey_login.rp_id);
  if v_answer.error is null and not private.is_loopback(begin_passkey_login.client) then
    v_answer.error := private.rate_limit_error(private.take_rate_limits(
      private.client_rules('PASSKEY_CHALLENGES_PER_IP', begin_passkey_login.client)
    ));
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  v_challenge := private.new_challenge('login_passkey', null, null);
  v_answer.challenge_id := v_challenge.id;
  v_answer.options := private.request_options(v_challenge, begin_passkey_login.rp_id);
  return v_answer;
end
$$;

comment on function api.begin_passkey_login(text, text) is
$$POST /api/v1/auth/login/passkey/options: what a browser is to use a passkey by, whoever its user is. client: address as limits count it; a
loopback address is not counted. rp_id: the domain that passkeys belong to, or null.
Errors: those of private.passkey_sign_in_error; RATE_LIMIT_EXCEEDED (PASSKEY_CHALLENGES_PER_IP).$$;
grant execute on function api.begin_passkey_login(text, text) to latchkey_server;
