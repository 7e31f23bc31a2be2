create or replace function private.challenge_sign_in(sign_in private.sign_in)
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_challenge private.factor_challenge;
begin
  insert into private.factor_challenge as c (id, purpose, user_id, session_epoch, sign_in, expires_at)
  select gen_random_uuid(), 'login', a.id, a.session_epoch, challenge_sign_in.sign_in, clock_timestamp() + private.challenge_lifetime()
  from "user".account a where a.id = sign_in.user_id
  returning c.* into v_challenge;
  return private.error('INVALID_REQUEST', jsonb_build_object(
    'reason', 'second_factor_required',
    'challenge_id', v_challenge.id,
    'factors', private.factor_kinds(v_challenge.user_id),
    'expires_at', to_char(v_challenge.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  ));
end
$$;

comment on function private.challenge_sign_in(private.sign_in) is
$$Asks for a second factor in place of opening a session, and keeps what the first step brought for the second one
(api.log_in_by_factor). Errors: INVALID_REQUEST (details.reason second_factor_required; challenge_id, factors, expires_at).$$;
