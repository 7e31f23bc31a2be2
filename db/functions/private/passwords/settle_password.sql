create or replace function private.settle_password(
  password_check private.password_check, account "user".account, attempt private.password_attempt, rules private.rate_limit_rule[]
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
  v_verdict := private.count_login(attempt, settle_password.rules, v_check.is_right);
  v_check.error := private.rate_limit_error(v_verdict);
  v_check.counted_at := v_verdict.taken_at;
  if v_check.error is null then
    v_check.is_right := v_check.is_right and private.admit_login(account, attempt.password_prehash);
    v_check.error := case when not v_check.is_right then
      private.error('INVALID_REQUEST', jsonb_build_object('reason', 'login_refused'))
    end;
    if not v_check.is_right then
      perform private.record_event('login.refused', account.id, null, jsonb_build_object('by', 'password'), attempt.client);
    end if;
  end if;
  return v_check;
end
$$;

comment on function private.settle_password(private.password_check, "user".account, private.password_attempt, private.rate_limit_rule[]) is
$$Counts a compared password and decides: without error it is right, is still the account's, and the account's row is locked. A wrong one
counts against every limit of failures; a spent one refuses the right password too, except for a client from which the account logged in
within private.known_client_lifetime(). password_check: of private.check_password for the same account and attempt. rules: the limits that
a right one counts against. Errors: those of private.check_password; RATE_LIMIT_EXCEEDED (rules);
INVALID_REQUEST (details.reason login_refused).$$;
