create or replace function private.send_code(request private.send_request)
returns api.otp_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if request.identifier_type = 'PHONE' then
    return private.send_unless_fraud(request);
  end if;
  return private.otp_answer(private.queue_otp(request));
end
$$;

comment on function private.send_code(private.send_request) is
$$Queues a message that the limits have counted: an SMS unless a fraud rule refuses it, an email always, since it costs nothing. Call it last,
because it locks the counters of sends. Errors: those of private.send_unless_fraud.$$;
