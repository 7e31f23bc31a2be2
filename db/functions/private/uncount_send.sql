create or replace function private.uncount_send(identifier text, counted_at timestamptz)
returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  update platform.rate_limit l
  set (hits, totals) = (select u.hits, u.totals from private.uncount_hit(l, rule, uncount_send.counted_at) u)
  from private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', private.counted_identifier(uncount_send.identifier)) rule
  where l.key = rule.key
$$;

comment on function private.uncount_send(text, timestamptz) is
$$Gives a send back to the identifier's limit, but not to the client's. counted_at: the moment that the limit counted.$$;
