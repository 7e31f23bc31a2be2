create or replace function private.answer_challenge(challenge private.factor_challenge, amr text[], client text, user_agent text)
returns api.session_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_sign_in private.sign_in := challenge.sign_in;
begin
  update private.factor_challenge c set used_at = clock_timestamp() where c.id = challenge.id;
  v_sign_in.amr := private.add_to_amr(v_sign_in.amr, answer_challenge.amr);
  v_sign_in.client := answer_challenge.client;
  v_sign_in.user_agent := answer_challenge.user_agent;
  return private.open_session(v_sign_in);
end
$$;

comment on function private.answer_challenge(private.factor_challenge, text[], text, text) is
$$Opens the session that a challenge stands for, whose answer was right. challenge: of private.live_challenge, read while the caller holds the
account's row, and the guest's session after it. amr: of the factor (RFC 8176). client, user_agent: of the request that answered.$$;
