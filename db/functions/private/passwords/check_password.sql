create or replace function private.check_password(account "user".account, phone text, password_prehash text, client text, foreign_prehash text)
returns private.password_check
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_check private.password_check;
  v_verdict private.rate_limit_verdict := private.refuse_login(
    private.login_failure_rules(check_password.phone, check_password.client), check_password.client
  );
  v_stored private.stored_password := private.password_to_compare(account, check_password.phone);
begin
  v_check.error := private.rate_limit_error(v_verdict);
  if v_check.error is null then
    v_check.error := private.foreign_prehash_error(v_stored, check_password.foreign_prehash);
  end if;
  if v_check.error is null then
    v_check.is_right := private.compare_password(
      case when v_stored.foreign_parameters is null then check_password.password_prehash else check_password.foreign_prehash end,
      v_stored.password_hash
    );
  end if;
  return v_check;
end
$$;

comment on function private.check_password("user".account, text, text, text, text) is
$$Compares a typed password with an account's, the same way and at the same cost for login, change of password and change of phone. It only
reads limits and locks nothing, so that bcrypt runs without a lock: private.settle_password decides afterwards.
account: all null where there is none, and the work is the same. phone: E.164, which failures count against. password_prehash: the server's
keyed pre-hash. client: address as limits count it. foreign_prehash: that of an imported hash, or null (private.foreign_prehash_error).
Errors: RATE_LIMIT_EXCEEDED (LOGIN_FAILURES_…); FOREIGN_PREHASH_REQUIRED, for the server alone.$$;
