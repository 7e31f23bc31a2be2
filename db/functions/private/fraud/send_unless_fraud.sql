create or replace function private.send_unless_fraud(request private.send_request)
returns api.otp_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_decision platform.send_decision;
  v_answer api.otp_answer;
begin
  v_answer.error := private.before_send(request);
  if v_answer.error is distinct from null then
    perform private.uncount_send(request.identifier, request.purpose, request.counted_at);
    return v_answer;
  end if;
  v_decision := private.decide_send(request);
  v_answer.error := private.fraud_error(v_decision);
  v_decision.request_id := case when v_answer.error is distinct from null then private.request_id() end;
  if v_answer.error is null then
    v_answer := case
      when private.is_withheld(request) then private.withhold_send(request)
      else private.otp_answer(private.queue_otp(request))
    end;
  elsif request.awaited or request.purpose <> 'PASSWORD_RESET' then
    -- Not even a refused reset is given back to the limit, as no reset is.
    perform private.uncount_send(request.identifier, request.purpose, request.counted_at);
  end if;
  perform private.record_send(v_decision, v_answer.otp_id);
  return v_answer;
end
$$;

comment on function private.send_unless_fraud(private.send_request) is
$$Queues an SMS that the limits have counted, unless a fraud rule refuses it: then the phone's limit gets it back. Either is recorded, and a code that would open nothing (private.is_withheld) counts as one that is sent. Call it
last, because it locks the counters of sends. What hook.before_send refuses is given back too, and not recorded. Errors: INVALID_REQUEST
(details.reason refused_by_hook), RATE_LIMIT_EXCEEDED (the fraud rules in mode "enforce").$$;
