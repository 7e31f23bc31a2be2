create or replace function private.queue_phone_notice(account "user".account, languages text[], client text)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_lifetime constant interval := interval '1 day';
  v_otp platform.otp_transaction;
  v_decision platform.send_decision;
  v_verdict private.rate_limit_verdict;
begin
  if private.test_code(account.phone) is not null then
    return;
  end if;
  v_verdict := private.take_rate_limits(array[private.rate_limit_rule('NOTICES_PER_IDENTIFIER', account.phone)]);
  v_decision := private.decide_send(
    account.phone, private.country_of(account.phone), 'PHONE_CHANGED', queue_phone_notice.client, false,
    coalesce(v_verdict.taken_at, clock_timestamp())
  );
  if v_verdict.wait is not null then
    v_decision.verdict := 'refused';
    v_decision.rule := v_verdict.policy;
  elsif v_decision.verdict = 'refused' then
    perform private.uncount_send(account.phone, 'PHONE_CHANGED', v_verdict.taken_at);
  else
    v_otp := private.queue_otp(
      account.phone, 'PHONE', 'PHONE_CHANGED', false, v_verdict.taken_at, queue_phone_notice.languages, null, account.id, c_lifetime
    );
  end if;
  perform private.record_send(v_decision, v_otp.id);
end
$$;

comment on function private.queue_phone_notice("user".account, text[], text) is
$$Queues a notice, without a code, to the phone that an account had until now: the owner learns of a change that a stranger made. Nothing is
sent where the phone's NOTICES_PER_IDENTIFIER or a fraud rule refuses it, which is recorded, or to a test number: the change stays.
The caller has locked the phone's NOTICES_PER_IDENTIFIER before the account. account: the row as it was before. languages: of the request, the
preferred one first. client: address as limits count it. Call it last, because it locks the counters of sends.$$;
