create or replace function private.uncount_send(identifier text, purpose text, counted_at timestamptz)
returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  update platform.rate_limit l
  set (hits, totals) = (select u.hits, u.totals from private.uncount_hit(l, rule, uncount_send.counted_at) u)
  from private.rate_limit_rule(
    case when uncount_send.purpose = any (private.notice_purposes()) then 'NOTICES_PER_IDENTIFIER' else 'OTP_SEND_PER_IDENTIFIER' end,
    private.counted_identifier(uncount_send.identifier)
  ) rule
  where l.key = rule.key
$$;

comment on function private.uncount_send(text, text, timestamptz) is
$$Gives a send back to the identifier's limit, but not to the client's. purpose: as platform.otp_transaction. counted_at: the moment that the limit counted.$$;
