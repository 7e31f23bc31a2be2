create or replace function private.explain_limits(identifier text)
returns setof platform.delivery_event
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most_clients constant integer := 100;
  -- The keys of OTP_VERIFY_LIMIT are the identifier, a space, purpose and client. "!" is what comes after the space.
  v_counted text := private.counted_identifier(explain_limits.identifier);
  v_first text := 'OTP_VERIFY_LIMIT:' || v_counted || ' ';
  v_end text := 'OTP_VERIFY_LIMIT:' || v_counted || '!';
  v_now timestamptz := clock_timestamp();
  v_rule private.rate_limit_rule;
  v_verdict private.rate_limit_verdict;
begin
  for v_rule in
    select r.* from private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', v_counted) r
    union all
    select r.* from (
      select l.key from platform.rate_limit l
      where l.key >= v_first collate "C" and l.key < v_end collate "C" order by l.key limit c_most_clients
    ) k, private.rate_limit_rule('OTP_VERIFY_LIMIT', substr(k.key, length('OTP_VERIFY_LIMIT:') + 1)) r
  loop
    v_verdict := private.look_at_rate_limits(array[v_rule]);
    continue when v_verdict.wait is null;
    return next row(
      v_now,
      case v_rule.policy
        when 'OTP_SEND_PER_IDENTIFIER' then 'No more codes are sent now: the limit of codes is reached.'
        else 'Codes from one client are refused now: its limit of tries is reached.'
      end,
      null,
      format(
        '%s: %s requests in %s seconds, refused until %s', v_rule.key, v_rule.requests, extract(epoch from v_rule.period)::integer,
        private.written_time(v_now + v_verdict.wait)
      )
    )::platform.delivery_event;
  end loop;
end
$$;

comment on function private.explain_limits(text) is
$$The limits of codes for an identifier that are spent now, and until when, as events. The limits of clients are not among them: a
one-time password does not say which client requested it. identifier: E.164 or lower-cased email.$$;
