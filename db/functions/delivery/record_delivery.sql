create or replace function delivery.record_delivery(otp_id uuid, outcome text)
returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_otp platform.otp_transaction;
begin
  if record_delivery.outcome not in ('sent', 'refused', 'unreachable', 'uncertain') then
    raise exception 'an outcome is sent, refused, unreachable or uncertain' using errcode = 'invalid_parameter_value';
  end if;
  select o.* into v_otp from platform.otp_transaction o where o.id = record_delivery.otp_id for update;
  perform private.settle_delivery(v_otp, record_delivery.outcome);
  return not v_otp.awaited and record_delivery.outcome in ('unreachable', 'uncertain') and private.may_be_sent(v_otp);
end
$$;

comment on function delivery.record_delivery(uuid, text) is
$$Records the outcome of a delivery. otp_id: from the job's payload. outcome: sent; refused (the vendor refused it); unreachable (no
connection was made); uncertain (no clear answer); raises for any other. Result: whether to retry later. Never while a request waits,
because that request reports the failure at once.$$;
grant execute on function delivery.record_delivery(uuid, text) to latchkey_worker;
