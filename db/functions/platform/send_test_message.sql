create or replace function platform.send_test_message(phone text, language text default null)
returns platform.otp_transaction
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  -- In place of an address: FRAUD_CLIENT counts all test messages together.
  c_client constant text := 'admin';
  v_fault text;
  v_verdict private.rate_limit_verdict;
  v_answer api.otp_answer;
  v_otp platform.otp_transaction;
begin
  send_test_message.phone := private.current_number(send_test_message.phone);
  v_fault := case
    when not private.is_e164(send_test_message.phone) then 'The phone must be in E.164, such as +12125550123.'
    when private.test_code(send_test_message.phone) is not null then 'The phone is a test number (OTP_TEST_NUMBERS): nothing is sent to it.'
    when private.setting('OTP_PROVIDER') is null then 'No provider is set: OTP_PROVIDER.'
    when length(send_test_message.language) > private.longest_language_tag() then 'The language must be a tag such as de or pt-BR.'
  end;
  if v_fault is null then
    v_verdict := private.take_rate_limits(array[
      private.rate_limit_rule('OTP_TEST_SENDS', 'all'),
      private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', send_test_message.phone)
    ]);
    if v_verdict.wait is not null then
      v_fault := format(
        'The limit %s is reached: there is room again in %s seconds.', v_verdict.policy, ceil(extract(epoch from v_verdict.wait))
      );
    end if;
  end if;
  if v_fault is null then
    v_answer := private.send_unless_fraud(row(
      send_test_message.phone, 'PHONE', 'TEST', false, v_verdict.taken_at,
      array_remove(array[nullif(btrim(send_test_message.language), '')], null), null, null, c_client,
      private.country_of(send_test_message.phone), null, null
    )::private.send_request);
    v_fault := 'The fraud rule ' || ((v_answer.error).details ->> 'policy') || ' refuses it.';
  end if;
  if v_fault is not null then
    -- What is raised stores nothing, not even the decision. The limits bound how often it is tried.
    raise exception '%', v_fault using errcode = 'check_violation', constraint = 'test_message_may_be_sent';
  end if;
  perform private.record_event('admin.acted', null, null, jsonb_build_object('action', 'send_test_message', 'otp_id', v_answer.otp_id));
  select o.* into v_otp from platform.otp_transaction o where o.id = v_answer.otp_id;
  return v_otp;
end
$$;

comment on function platform.send_test_message(text, text) is
$$Mutation send_test_message: the admin has an SMS sent by the chosen provider, to see whether it arrives. Its text is OTP_PROVIDER's
of the purpose default; its code verifies nothing. OTP_TEST_SENDS, the phone's OTP_SEND_PER_IDENTIFIER and the fraud rules limit mistakes only:
anybody with the admin secret can change them. Nothing is sent to a test number. phone: E.164. language: tag of the text's language; null: the default. Result: the message;
explain_delivery shows its outcome.$$;
grant execute on function platform.send_test_message(text, text) to latchkey_admin;
