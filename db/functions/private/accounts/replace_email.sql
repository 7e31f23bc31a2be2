create or replace function private.replace_email(session_id uuid, user_id uuid, new_email text, languages text[], client text)
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account;
  v_error api.error;
begin
  -- Limits are locked before accounts, in the order of their keys: an id sorts after a phone.
  select a.* into v_account from "user".account a where a.id = replace_email.user_id;
  if v_account.phone is not null then
    perform private.lock_rate_limit('NOTICES_PER_IDENTIFIER:' || v_account.phone);
  end if;
  perform private.lock_rate_limit('NOTICES_PER_IDENTIFIER:' || replace_email.user_id);

  v_account := private.lock_account(replace_email.user_id);
  v_error := private.caller_error(replace_email.session_id, replace_email.user_id);
  if v_error is distinct from null then
    return v_error;
  end if;
  begin
    update "user".account a
    set email = replace_email.new_email,
        email_verified_at = case when replace_email.new_email is not null then clock_timestamp() end,
        updated_at = clock_timestamp()
    where a.id = v_account.id;
  exception
    when unique_violation then
      return private.error('INVALID_REQUEST', jsonb_build_object('reason', 'already_registered'));
  end;
  -- What another session asked for by the email that was here.
  perform private.stop_phone_change(v_account.id, array[replace_email.session_id], replace_email.session_id);
  if v_account.email is distinct from replace_email.new_email or v_account.email is not null and v_account.email_verified_at is null then
    perform private.queue_email_notices(v_account, replace_email.languages, replace_email.client);
  end if;
  return null;
end
$$;

comment on function private.replace_email(uuid, uuid, text, text[], text) is
$$Gives an account a verified email, or none, tells its phone and the verified email that it had, and stops a change of
phone that another session asked for without the password. The caller has checked a code that was
sent to the new email, and holds the rows of private.verification_state of both: the trigger "user".erase_earlier_email locks that of the
old one. Call it last, because it locks the counters of sends. session_id: of the account. new_email: lower-cased; null: none. languages, client: as private.queue_notice.
Errors: SESSION_NOT_FOUND, SESSION_REVOKED; INVALID_REQUEST (details.reason already_registered: another account has verified the email).$$;
