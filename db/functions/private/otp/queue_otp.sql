create or replace function private.queue_otp(request private.send_request)
returns platform.otp_transaction
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_otp platform.otp_transaction := private.store_otp(request, 'queued');
begin
  perform private.queue_send(v_otp.id, null);
  return v_otp;
end
$$;

comment on function private.queue_otp(private.send_request) is
$$Records a one-time password and queues its message in the same transaction: neither exists without the other.$$;
