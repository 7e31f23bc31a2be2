create or replace function private.use_passkey(account "user".account, attempt private.passkey_attempt, languages text[], client text)
returns text[]
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_factor "user".factor;
  v_signed private.signed_passkey;
begin
  -- Read while the caller holds the account's row: each count is used once.
  select f.* into v_factor from "user".factor f
  where f.user_id = account.id and f.credential_id = attempt.credential_id;
  if v_factor.id is null or attempt.is_signed is not true or attempt.user_handle <> uuid_send(v_factor.user_id) then
    return null;
  end if;
  v_signed := private.signed_passkey(attempt.authenticator_data);
  if private.is_copy(v_factor, attempt) then
    update "user".factor f set counter_went_back_at = clock_timestamp() where f.id = v_factor.id;
    -- Once, however often the copy is tried, until the passkey is used rightly again.
    if v_factor.counter_went_back_at is null or v_factor.last_used_at > v_factor.counter_went_back_at then
      perform private.tell_phone(account, 'FACTORS_CHANGED', use_passkey.languages, use_passkey.client);
    end if;
    return null;
  end if;
  -- Which of the two it is never changes: this is another key.
  if v_signed.is_backup_eligible <> v_factor.is_backup_eligible then
    return null;
  end if;
  update "user".factor f
  set sign_count = v_signed.sign_count, is_synced = v_signed.is_synced, last_used_at = clock_timestamp()
  where f.id = v_factor.id;
  update "user".account a set factor_failures = 0 where a.id = v_factor.user_id and a.factor_failures > 0;
  return private.passkey_methods(v_signed);
end
$$;

comment on function private.use_passkey("user".account, private.passkey_attempt, text[], text) is
$$How a user's passkey has proved who its user is (private.passkey_methods), and its counter is remembered; null where it has not: it is
another's or none, the signature is wrong, or its counter went back, so that there may be a copy of it (WebAuthn, section 6.1.1), which the
account's phone is told. A right one opens factors that wrong codes have locked: nobody guesses a passkey. account: of
private.lock_account_to_tell. languages, client: as private.queue_notice.$$;
