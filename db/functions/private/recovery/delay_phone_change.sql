create or replace function private.delay_phone_change(session_id uuid, user_id uuid, new_phone text, otp_id uuid, languages text[], client text)
returns api.phone_change_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.phone_change_answer;
  v_account "user".account;
begin
  -- As private.lock_for_phone, but failed logins stay counted: the phone does not change yet.
  select a.* into v_account from "user".account a where a.id = delay_phone_change.user_id;
  if v_account.phone is not null then
    perform private.lock_rate_limit('NOTICES_PER_IDENTIFIER:' || v_account.phone);
  end if;
  v_account := private.lock_account(delay_phone_change.user_id);
  v_answer.error := private.caller_error(delay_phone_change.session_id, delay_phone_change.user_id);
  if v_answer.error is null and private.is_fixed_code(delay_phone_change.otp_id) and not v_account.verified_by_test_code then
    v_answer.error := private.error('INVALID_OTP');
  end if;
  if v_answer.error is null and exists (
    select from "user".account a where a.phone = delay_phone_change.new_phone and not private.is_recycled(a)
  ) then
    v_answer.error := private.error('INVALID_REQUEST', jsonb_build_object('reason', 'already_registered'));
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  insert into private.phone_recovery as r (account_id, phone, session_id, asked_at, due_at)
  values (
    v_account.id, delay_phone_change.new_phone, delay_phone_change.session_id, clock_timestamp(),
    clock_timestamp() + private.setting_period('RECOVERY_DELAY_SECONDS')
  )
  on conflict on constraint phone_recovery_pkey do update
  set phone = excluded.phone, session_id = excluded.session_id, asked_at = excluded.asked_at, due_at = excluded.due_at
  returning r.due_at into v_answer.phone_change_due_at;
  perform private.record_event(
    'phone.change_delayed', v_account.id, delay_phone_change.session_id, jsonb_build_object('due_at', v_answer.phone_change_due_at),
    delay_phone_change.client
  );
  perform private.consume_otp(delay_phone_change.otp_id);
  perform private.tell_phone(v_account, 'PHONE_CHANGE_DUE', delay_phone_change.languages, delay_phone_change.client);
  return v_answer;
end
$$;

comment on function private.delay_phone_change(uuid, uuid, text, uuid, text[], text) is
$$Uses up a PHONE_RECOVERY code and lets the phone change after RECOVERY_DELAY_SECONDS, in place of another change that waits; tells the old
phone. Parameters, and what the caller holds: as private.replace_phone. Errors, of which none uses up the code: INVALID_REQUEST (details.reason
already_registered), SESSION_NOT_FOUND, SESSION_REVOKED, INVALID_OTP (a fixed code, for an account that another code
confirmed).$$;
