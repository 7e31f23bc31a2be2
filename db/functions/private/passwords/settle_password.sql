create or replace function private.settle_password(
  password_check private.password_check, account "user".account, phone text, password_prehash text, client text,
  rules private.rate_limit_rule[]
)
returns private.password_check
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_check private.password_check := settle_password.password_check;
  v_verdict private.rate_limit_verdict;
begin
  if v_check.error is distinct from null then
    return v_check;
  end if;
  -- The verdict is given after counting: a burst of parallel guesses gets no more verdicts than the limit allows.
  v_verdict := private.count_login(
    private.login_failure_rules(settle_password.phone, settle_password.client), settle_password.rules, v_check.is_right,
    private.is_known_client(settle_password.phone, settle_password.client)
  );
  v_check.error := private.rate_limit_error(v_verdict);
  v_check.counted_at := v_verdict.taken_at;
  if v_check.error is distinct from null then
    return v_check;
  end if;
  if v_check.is_right then
    v_check.is_right := private.admit_login(account, settle_password.password_prehash);
  end if;
  if not v_check.is_right then
    v_check.error := private.error('INVALID_REQUEST', jsonb_build_object('reason', 'login_refused'));
  end if;
  return v_check;
end
$$;

comment on function private.settle_password(private.password_check, "user".account, text, text, text, private.rate_limit_rule[]) is
$$Counts a compared password and decides: without error it is right, is still the account's, and the account's row is locked. A wrong one
counts against every limit of failures; a spent one refuses the right password too, except for a client from which the account logged in
within private.known_client_lifetime(). password_check, account, phone, password_prehash, client: of private.check_password. rules: the
limits that a right one counts against. Errors: those of private.check_password; RATE_LIMIT_EXCEEDED (rules);
INVALID_REQUEST (details.reason login_refused).$$;
