create or replace function private.withhold_send(request private.send_request)
returns api.otp_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_otp platform.otp_transaction := private.store_otp(request, 'withheld');
begin
  update platform.otp_transaction o set answer_at = o.created_at + make_interval(secs => private.usual_send_seconds())
  where o.id = v_otp.id;
  perform pg_notify('otp_delivery', private.notification_digest(v_otp.id));
  return private.otp_answer(v_otp);
end
$$;

comment on function private.withhold_send(private.send_request) is
$$Records a one-time password that is never sent and has no code (private.is_withheld), and answers as for one that is: the request is answered
when one of the latest sends would have been, which private.settle_withheld sees to. It is woken once this is committed, because only then can
it be told how much of that time is left.$$;
