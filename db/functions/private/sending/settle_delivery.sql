create or replace function private.settle_delivery(otp platform.otp_transaction, outcome text)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_was_perhaps_sent boolean := settle_delivery.outcome in ('sent', 'uncertain') or private.may_have_been_sent(otp.id);
begin
  update platform.otp_transaction o
  set delivery = case when settle_delivery.outcome <> 'sent' and v_was_perhaps_sent then 'uncertain' else settle_delivery.outcome end,
      -- A reset request's is always set, otherwise the old code's validity would reveal whether there is an account.
      current_since = case
        when settle_delivery.outcome = 'sent' or not o.awaited then coalesce(o.current_since, clock_timestamp())
      end
  where o.id = otp.id and o.delivery not in ('sent', 'cancelled');

  if found and settle_delivery.outcome <> 'dropped' and otp.purpose <> all (private.notice_purposes()) and otp.purpose <> 'TEST' then
    perform private.record_outcome(otp, settle_delivery.outcome);
  end if;

  if otp.awaited and not v_was_perhaps_sent then
    perform private.give_back_send(otp.id);
  end if;
  if otp.awaited and otp.delivery <> 'cancelled' then
    perform pg_notify('otp_delivery', private.notification_digest(otp.id));
  end if;
end
$$;

comment on function private.settle_delivery(platform.otp_transaction, text) is
$$Records the outcome of a delivery and wakes the request that waits, which then reads the row. otp: a row that the caller has locked.
outcome: sent, refused, declined, unreachable, uncertain or dropped; uncertain is recorded where an earlier attempt may have been sent.
If nothing was sent for certain, the send is given back to the identifier, unless it is a reset request's.$$;
