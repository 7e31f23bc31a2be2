create or replace function private.settle_withheld(otp platform.otp_transaction, deadline_reached boolean)
returns api.otp_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- By how much a caller's timer may end before this clock says so.
  c_early constant numeric := 0.1;
  v_answer api.otp_answer := private.otp_answer(otp);
  v_seconds_left numeric := extract(epoch from otp.answer_at - clock_timestamp());
begin
  if settle_withheld.deadline_reached and v_seconds_left > c_early then
    -- The server stops: what is being sent fails, too.
    return row(private.error('OTP_SEND_FAILED'), null, null, null)::api.otp_answer;
  end if;
  if not settle_withheld.deadline_reached and v_seconds_left > 0 then
    v_answer.wait_seconds := round(v_seconds_left, 3);
    return v_answer;
  end if;
  -- As a delivery would: otherwise a guesser saw that guesses are not forgotten.
  update platform.otp_transaction o set current_since = clock_timestamp() where o.id = otp.id and o.current_since is null;
  v_answer.wait_seconds := null;
  return v_answer;
end
$$;

comment on function private.settle_withheld(platform.otp_transaction, boolean) is
$$The answer about a one-time password that is withheld: at answer_at it becomes current and is answered as one that was sent; before that
wait_seconds says how much longer to wait, to the millisecond. otp: its row, which need not be locked. deadline_reached: as
api.settle_otp_send. Errors: OTP_SEND_FAILED.$$;
