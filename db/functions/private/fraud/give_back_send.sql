create or replace function private.give_back_send(otp_id uuid)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_otp platform.otp_transaction;
begin
  select o.* into v_otp from platform.otp_transaction o where o.id = give_back_send.otp_id and o.counted_at is not null;
  if not found then
    return;
  end if;
  update platform.otp_transaction o set counted_at = null where o.id = v_otp.id;
  perform private.uncount_send(v_otp.identifier, v_otp.purpose, v_otp.counted_at);
  perform private.count_send(d, -1, 0) from platform.send_decision d where d.otp_id = v_otp.id;
end
$$;

comment on function private.give_back_send(uuid) is
$$Uncounts a send whose SMS was certainly not sent, for the identifier and the fraud rules but not for the client's limit; a second call
changes nothing. otp_id: a one-time password whose row the caller has locked.$$;
