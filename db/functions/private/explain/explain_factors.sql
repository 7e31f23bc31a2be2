create or replace function private.explain_factors(identifier text)
returns setof platform.delivery_event
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account;
  v_factor "user".factor;
  v_verdict private.rate_limit_verdict;
  v_now timestamptz := clock_timestamp();
begin
  select a.* into v_account from "user".account a
  where a.phone = explain_factors.identifier or a.email = explain_factors.identifier and a.email_verified_at is not null;
  for v_factor in
    select f.* from "user".factor f where f.user_id = v_account.id and f.counter_went_back_at is not null
  loop
    return next row(
      v_factor.counter_went_back_at, 'A passkey of the account was refused: its counter went back, so there may be a copy of it.', null,
      concat_ws(', ', v_factor.label, v_factor.id)
    )::platform.delivery_event;
  end loop;
  if v_account.factor_failures >= private.most_factor_failures() then
    return next row(
      v_now, format('The account''s second factors are locked after %s wrong codes in a row (MAX_ATTEMPTS_REACHED).', v_account.factor_failures),
      null, 'until unlock_factors, or a sign-in by a passkey'
    )::platform.delivery_event;
    return;
  end if;
  v_verdict := private.look_at_rate_limits(private.factor_rules(v_account.id));
  if v_verdict.wait is not null then
    return next row(
      v_now, 'Codes of the account''s second factors are refused now: the limit of wrong ones is reached.', null,
      format('FACTOR_FAILURES_PER_USER: refused until %s', private.written_time(v_now + v_verdict.wait))
    )::platform.delivery_event;
  elsif v_account.factor_failures > 0 then
    return next row(
      v_now, format('The latest %s codes of the account''s second factors were wrong.', v_account.factor_failures), null,
      'somebody has the first factor, or the clock of the app is wrong'
    )::platform.delivery_event;
  end if;
end
$$;

comment on function private.explain_factors(text) is
$$When each copied passkey was last refused, and what wrong codes of second factors lead to now, as events. identifier: E.164 or a lower-cased email, of an account or not.$$;
