create or replace function private.check_password(account "user".account, phone text, password_prehash text, client text)
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_error api.error;
  v_rules private.rate_limit_rule[] := private.login_failure_rules(check_password.phone, check_password.client);
  v_known boolean := private.is_known_client(check_password.phone, check_password.client);
  v_verdict private.rate_limit_verdict := private.refuse_login(v_rules, check_password.client);
  v_right boolean;
  -- Computed for every phone, so that the time does not reveal which ones have a password.
  v_decoy_hash text := private.decoy_hash(check_password.phone);
begin
  -- Limits are read before bcrypt runs and counted after it, so that bcrypt runs without a lock. Counting limits the verdicts:
  -- a burst of parallel guesses gets no more of them than the limit allows.
  if v_verdict.wait is null then
    v_right := private.compare_password(
      check_password.password_prehash, coalesce(account.password_hash, v_decoy_hash)
    );
    v_verdict := private.count_login(v_rules, check_password.phone, v_right, v_known);
  end if;
  v_error := private.rate_limit_error(v_verdict);
  if v_error is distinct from null then
    return v_error;
  end if;

  if v_right then
    v_right := private.admit_login(account, check_password.password_prehash);
  end if;
  if not v_right then
    return private.error('INVALID_REQUEST', jsonb_build_object('reason', 'login_refused'));
  end if;
  return null;
end
$$;

comment on function private.check_password("user".account, text, text, text) is
$$Checks an account's password as a login does: with the same limits, counting and work, also where there is no account. A right one leaves
the account's row locked (private.admit_login). account: private.usable_account(phone), all null where there is none. phone: E.164.
password_prehash: the shell's keyed pre-hash. client: address as limits count it.
Errors: INVALID_REQUEST (details.reason login_refused), RATE_LIMIT_EXCEEDED (LOGIN_FAILURES_…, LOGINS_PER_PHONE); null: it is right.$$;
