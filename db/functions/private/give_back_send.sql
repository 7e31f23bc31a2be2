create or replace function private.give_back_send(otp_id uuid)
returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  with otp as (
    select o.id, o.identifier, o.counted_at from platform.otp_transaction o
    where o.id = give_back_send.otp_id and o.counted_at is not null
  ),
  given_back as (
    update platform.rate_limit l
    set (hits, totals) = (select u.hits, u.totals from private.uncount_hit(l, rule, otp.counted_at) u)
    from otp, private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', otp.identifier) rule
    where l.key = rule.key
  )
  update platform.otp_transaction o set counted_at = null from otp where o.id = otp.id
$$;

comment on function private.give_back_send(uuid) is
$$Uncounts a send whose SMS was certainly not sent, for the identifier but not for the client; a second call changes nothing.
otp_id: a one-time password whose row the caller has locked.$$;
