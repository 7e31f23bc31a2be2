create or replace function private.apply_phone_change(account_id uuid)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_recovery private.phone_recovery;
  v_account "user".account;
  v_error api.error;
begin
  select r.* into v_recovery from private.phone_recovery r where r.account_id = apply_phone_change.account_id;
  if v_recovery.account_id is null then
    return;
  end if;
  -- As every verification of the phone, so that no registration is stored or confirmed meanwhile.
  perform private.lock_verification_state('PHONE', v_recovery.phone);
  v_account := private.lock_for_phone(v_recovery.account_id, v_recovery.phone);
  -- Read again under the account's lock: it may have been stopped, replaced or applied meanwhile.
  select r.* into v_recovery from private.phone_recovery r
  where r.account_id = v_account.id and r.phone = v_recovery.phone and r.due_at <= clock_timestamp();
  if v_recovery.account_id is null or not private.is_usable(v_account) then
    return;
  end if;
  v_error := private.set_phone(
    v_account, v_recovery.phone, null, v_account.verified_by_test_code and private.test_code(v_recovery.phone) is not null,
    v_recovery.session_id, '{}', ''
  );
  if v_error is distinct from null then
    -- Another account has the phone by now.
    perform private.stop_phone_change(v_account.id);
  end if;
end
$$;

comment on function private.apply_phone_change(uuid) is
$$Changes the phone of an account whose change is due, as its code would have done without the delay. One that was stopped meanwhile, or of an account that
nobody can sign in to, changes nothing; where another account has the phone by now, the change is dropped.$$;
