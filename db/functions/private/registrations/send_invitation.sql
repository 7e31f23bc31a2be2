create or replace function private.send_invitation(invitation "user".invitation)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- In place of an address, which an admin's request has not.
  c_client constant text := 'admin';
  v_verdict private.rate_limit_verdict;
  v_error api.error;
  v_fault text := case
    when private.test_code(invitation.phone) is not null then 'The phone is a test number (OTP_TEST_NUMBERS): nothing is sent to it.'
    when private.setting('OTP_PROVIDER') is null then 'No provider is set: OTP_PROVIDER.'
  end;
begin
  if v_fault is null then
    v_verdict := private.take_rate_limits(array[
      private.rate_limit_rule('INVITATION_SENDS', 'all'),
      private.rate_limit_rule('NOTICES_PER_IDENTIFIER', invitation.phone)
    ]);
    if v_verdict.wait is not null then
      v_fault := format(
        'The limit %s is reached: there is room again in %s seconds.', v_verdict.policy, ceil(extract(epoch from v_verdict.wait))
      );
    end if;
  end if;
  if v_fault is null then
    v_error := (private.send_unless_fraud(row(
      invitation.phone, 'PHONE', 'INVITATION', false, v_verdict.taken_at, '{}', null, null, c_client,
      private.country_of(invitation.phone), null, null
    )::private.send_request)).error;
    v_fault := coalesce(
      'The fraud rule ' || (v_error.details ->> 'policy') || ' refuses it.', 'hook.before_send refuses it: ' || (v_error.details ->> 'hookReason')
    );
  end if;
  if v_fault is not null then
    -- What is raised stores nothing, not even the invitation.
    raise exception '%', v_fault using errcode = 'check_violation', constraint = 'invitation_may_be_sent';
  end if;
end
$$;

comment on function private.send_invitation("user".invitation) is
$$Queues the SMS of an invitation, a notice without a code. Raises where a limit (INVITATION_SENDS, NOTICES_PER_IDENTIFIER), a fraud rule or
hook.before_send refuses it, or there is nothing to send by. The caller holds the phone's row of private.verification_state. Call it last,
because it locks the counters of sends.$$;
