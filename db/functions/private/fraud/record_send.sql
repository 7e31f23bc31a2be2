create or replace function private.record_send(decision platform.send_decision, otp_id uuid)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  decision.otp_id := record_send.otp_id;
  insert into platform.send_decision select decision.*;
  if decision.verdict <> 'refused' then
    perform private.count_send(decision, 1, 0);
  end if;
end
$$;

comment on function private.record_send(platform.send_decision, uuid) is
$$Stores a decision and counts its send, unless it is refused: refused sends must not keep a rule refusing. A refused send stays counted
against OTP_SEND_PER_IP, which bounds the rows that one client can make us write. otp_id: the one-time password; null: refused.$$;
