create or replace function private.check_password(account "user".account, attempt private.password_attempt)
returns private.password_check
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_check private.password_check;
  -- Computed for every phone, so that the time does not reveal which ones have a password.
  v_decoy "user".account := private.decoy_password(attempt.phone);
  v_stored "user".account := case when account.password_hash is null then v_decoy else account end;
begin
  v_check.error := coalesce(
    private.rate_limit_error(private.refuse_login(attempt)),
    private.foreign_prehash_error(v_stored, attempt)
  );
  if v_check.error is null then
    v_check.is_right := private.compare_password(private.prehash_to_compare(v_stored, attempt), v_stored.password_hash);
  end if;
  return v_check;
end
$$;

comment on function private.check_password("user".account, private.password_attempt) is
$$Compares a typed password with an account's, the same way and at the same cost for login, change of password and change of phone. It only
reads limits and locks nothing, so that bcrypt runs without a lock: private.settle_password decides afterwards.
account: all null where there is none; the work is the same, with the phone's decoy (private.decoy_password).
Errors: RATE_LIMIT_EXCEEDED (LOGIN_FAILURES_…); that of private.foreign_prehash_error, for the server alone.$$;
