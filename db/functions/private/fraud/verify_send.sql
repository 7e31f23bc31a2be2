create or replace function private.verify_send(otp_id uuid)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_decision platform.send_decision;
begin
  update platform.send_decision d set verified_at = clock_timestamp()
  where d.otp_id = verify_send.otp_id and d.verified_at is null
  returning d.* into v_decision;
  if found then
    perform private.count_send(v_decision, 0, 1);
  end if;
end
$$;

comment on function private.verify_send(uuid) is
$$Records and counts that the code of a send was used, in the hour and day of the send; a second call changes nothing.
otp_id: a one-time password whose row the caller has locked.$$;
