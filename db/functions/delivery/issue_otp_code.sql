create or replace function delivery.issue_otp_code(otp_id uuid, code_key bytea, unavailable text[])
returns delivery.message
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_otp platform.otp_transaction;
  v_attempt platform.delivery_attempt;
  v_code text;
begin
  select o.* into v_otp from platform.otp_transaction o where o.id = issue_otp_code.otp_id for update;
  -- Used, or with an outcome.
  if not found or v_otp.verified_at is not null or v_otp.delivery not in ('queued', 'sending') then
    return null;
  end if;
  if not private.may_be_sent(v_otp) then
    perform private.settle_delivery(v_otp, 'dropped');
    return null;
  end if;

  if v_otp.purpose <> all (private.notice_purposes()) then
    v_code := private.make_code(private.setting_integer('OTP_LENGTH'));
  end if;
  update platform.otp_transaction o
  set delivery = 'sending',
      code_hash = private.hash_code(o.id, v_code, issue_otp_code.code_key),
      -- Set at once, as for a dropped one: if it were set after the vendor's answer, the time until the old code stops
      -- working would reveal that the phone has an account.
      current_since = case when not o.awaited then coalesce(o.current_since, clock_timestamp()) end
  where o.id = v_otp.id;
  v_attempt := private.start_attempt(v_otp, private.choose_provider(v_otp, issue_otp_code.unavailable));
  return private.write_message(v_otp, v_code, v_attempt);
end
$$;

comment on function delivery.issue_otp_code(uuid, bytea, text[]) is
$$Makes the code of a queued one-time password, stores its hash, chooses the provider, records the attempt and returns the message to
send: the only time that the code exists in the database. Another attempt makes a new code and keeps the guesses that were spent. A notice
(private.notice_purposes) has no code.
Result: null when there is nothing to send.
otp_id: from the job's payload. code_key: as private.hash_code; raises without it. unavailable: names of providers to avoid.$$;
grant execute on function delivery.issue_otp_code(uuid, bytea, text[]) to latchkey_worker;
