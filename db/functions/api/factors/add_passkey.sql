create or replace function api.add_passkey(
  session_id uuid,
  user_id uuid,
  challenge_id uuid,
  label text,
  transports text[],
  rp_id text,
  code_key bytea,
  client text,
  languages text[] default '{}',
  credential_id bytea default null,
  public_key bytea default null,
  authenticator_data bytea default null,
  is_signed boolean default null
)
returns api.recovery_codes_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.recovery_codes_answer;
  v_challenge private.factor_challenge := private.live_challenge(add_passkey.challenge_id, 'enrol', add_passkey.session_id);
  v_signed private.signed_passkey;
  v_is_first boolean;
  v_account "user".account;
begin
  v_answer.error := coalesce(
    private.passkey_error(add_passkey.rp_id),
    private.user_session_error(add_passkey.session_id, add_passkey.user_id),
    private.step_up_error(add_passkey.session_id, add_passkey.user_id),
    private.challenge_error(v_challenge),
    private.passkey_check_error('create', v_challenge, null, add_passkey.is_signed)
  );
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  v_account := private.lock_account_to_tell(add_passkey.user_id);
  -- Read again: while this waited, another request may have added a factor or ended the session.
  v_answer.error := coalesce(
    private.user_session_error(add_passkey.session_id, add_passkey.user_id),
    private.step_up_error(add_passkey.session_id, add_passkey.user_id),
    private.factor_room_error(add_passkey.user_id)
  );
  if v_answer.error is null and not private.settle_challenge(v_challenge, add_passkey.is_signed) then
    v_answer.error := private.error('INVALID_OTP');
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  v_is_first := not private.has_factor(add_passkey.user_id);
  v_signed := private.signed_passkey(add_passkey.authenticator_data);
  insert into "user".factor (
    id, user_id, kind, label, confirmed_at, credential_id, public_key, sign_count, transports, is_backup_eligible, is_synced
  )
  values (
    private.new_id(), add_passkey.user_id, 'passkey', add_passkey.label, clock_timestamp(), add_passkey.credential_id, add_passkey.public_key,
    v_signed.sign_count, add_passkey.transports, v_signed.is_backup_eligible, v_signed.is_synced
  )
  on conflict on constraint factor_credential_id_is_unique do nothing;
  if not found then
    v_answer.error := private.error('INVALID_REQUEST', jsonb_build_object('reason', 'already_registered'));
    return v_answer;
  end if;
  if v_is_first then
    v_answer.recovery_codes := private.make_recovery_codes(add_passkey.user_id, add_passkey.code_key);
  end if;
  perform private.prove_factor(add_passkey.session_id, private.passkey_methods(v_signed));
  perform private.tell_phone(v_account, 'FACTORS_CHANGED', add_passkey.languages, add_passkey.client);
  return v_answer;
end
$$;

comment on function api.add_passkey(uuid, uuid, uuid, text, text[], text, bytea, text, text[], bytea, bytea, bytea, boolean) is
$$POST /api/v1/auth/factors/passkey: adds the passkey that a browser made; the session is aal2 from then on. The account's first factor brings
recovery codes. session_id, user_id: claims sid and sub of a verified access token. label: its name, or null. transports: how browsers
reach it, or null. rp_id: the domain that passkeys belong to, or null. code_key: as private.hash_code. client, languages: as private.queue_notice. credential_id, public_key, authenticator_data: what
the server has read in its answer, and is_signed: whether it is one (private.passkey_check_error); null until then.
Errors: those of private.passkey_error, private.user_session_error, private.step_up_error and private.factor_room_error; those of private.challenge_error; INVALID_OTP (the answer is wrong); INVALID_REQUEST (details.reason already_registered).$$;
grant execute on function api.add_passkey(uuid, uuid, uuid, text, text[], text, bytea, text, text[], bytea, bytea, bytea, boolean) to latchkey_server;
