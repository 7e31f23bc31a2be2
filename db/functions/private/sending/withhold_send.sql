create or replace function private.withhold_send(request private.send_request)
returns api.otp_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_otp platform.otp_transaction := private.store_otp(request, 'withheld');
  v_answer api.otp_answer := private.otp_answer(v_otp);
begin
  v_answer.wait_seconds := private.usual_send_seconds();
  return v_answer;
end
$$;

comment on function private.withhold_send(private.send_request) is
$$Records a one-time password that is never sent and has no code (private.is_withheld), and answers as for one that is: the request waits as long
as sends have lately taken, and api.settle_otp_send then makes it current, as a delivery would.$$;
