create or replace function private.queue_phone_notice(account "user".account, languages text[], client text)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_verdict private.rate_limit_verdict;
  v_request private.send_request;
  v_decision platform.send_decision;
begin
  if private.test_code(account.phone) is not null then
    return;
  end if;
  v_verdict := private.take_rate_limits(array[private.rate_limit_rule('NOTICES_PER_IDENTIFIER', account.phone)]);
  v_request := row(
    account.phone, 'PHONE', 'PHONE_CHANGED', false, coalesce(v_verdict.taken_at, clock_timestamp()), queue_phone_notice.languages, null,
    account.id, queue_phone_notice.client, private.country_of(account.phone), null, null
  )::private.send_request;
  if v_verdict.wait is null then
    perform private.send_unless_fraud(v_request);
    return;
  end if;
  v_decision := private.decide_send(v_request);
  v_decision.verdict := 'refused';
  v_decision.rule := v_verdict.policy;
  perform private.record_send(v_decision, null);
end
$$;

comment on function private.queue_phone_notice("user".account, text[], text) is
$$Queues a notice, without a code, to the phone that an account had until now: the owner learns of a change that a stranger made. Nothing is
sent where the phone's NOTICES_PER_IDENTIFIER or a fraud rule refuses it, which is recorded, or to a test number: the change stays.
The caller has locked the phone's NOTICES_PER_IDENTIFIER before the account. account: the row as it was before. languages: of the request, the
preferred one first. client: address as limits count it. Call it last, because it locks the counters of sends.$$;
