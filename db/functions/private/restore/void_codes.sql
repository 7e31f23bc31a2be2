create or replace function private.void_codes()
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_otp platform.otp_transaction;
begin
  for v_otp in
    select o.* from platform.otp_transaction o
    where o.voided_at is null and (o.delivery in ('queued', 'sending') or o.expires_at > v_now and o.verified_at is null)
    order by o.id
    for update
  loop
    if v_otp.delivery in ('queued', 'sending') then
      perform private.settle_delivery(v_otp, 'cancelled');
    end if;
    update platform.otp_transaction o set voided_at = v_now, expires_at = least(o.expires_at, v_now) where o.id = v_otp.id;
  end loop;

  -- Also jobs that a worker of the old database has locked.
  delete from graphile_worker._private_jobs j
  where j.task_id = (select t.id from graphile_worker._private_tasks t where t.identifier = 'send_otp');
  delete from private.factor_challenge;
end
$$;

comment on function private.void_codes() is
$$Ends every code, every message that waits to be sent and every challenge of a second factor: after a restore the ones that were used since
would count again, and what was sent since would be sent once more. A send that was certainly not made is given back to the phone's limit.$$;
