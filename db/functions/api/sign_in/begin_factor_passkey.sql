create or replace function api.begin_factor_passkey(challenge_id uuid, rp_id text)
returns api.passkey_options_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.passkey_options_answer;
  v_challenge private.factor_challenge := private.live_challenge(begin_factor_passkey.challenge_id, 'login');
begin
  v_answer.error := coalesce(private.passkey_error(begin_factor_passkey.rp_id), private.challenge_error(v_challenge));
  if v_answer.error is null and private.passkey_descriptors(v_challenge.user_id) = '[]' then
    v_answer.error := private.error('INVALID_REQUEST', jsonb_build_object('reason', 'factor_not_found'));
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  perform private.lock_account(v_challenge.user_id);
  -- The same for each request of a challenge: two tabs may ask, and whichever answers first uses it up.
  update private.factor_challenge c set webauthn_challenge = coalesce(c.webauthn_challenge, crypto.gen_random_bytes(32))
  where c.id = v_challenge.id
  returning c.* into v_challenge;
  v_answer.challenge_id := v_challenge.id;
  v_answer.options := private.request_options(v_challenge, begin_factor_passkey.rp_id);
  return v_answer;
end
$$;

comment on function api.begin_factor_passkey(uuid, text) is
$$POST /api/v1/auth/login/factor/options: what a browser is to use one of the user's passkeys by, as the second step of a sign-in.
challenge_id: as the first step answered it. rp_id: the domain that passkeys belong to, or null. Errors: those of private.passkey_error and
private.challenge_error; INVALID_REQUEST (details.reason factor_not_found: the user has no passkey).$$;
grant execute on function api.begin_factor_passkey(uuid, text) to latchkey_server;
