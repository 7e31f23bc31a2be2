create or replace function private.queue_notice(
  account "user".account, identifier_type text, identifier text, purpose text, languages text[], client text
)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_verdict private.rate_limit_verdict;
  v_request private.send_request;
  v_decision platform.send_decision;
begin
  if private.test_code(queue_notice.identifier) is not null then
    return;
  end if;
  v_verdict := private.take_rate_limits(array[private.rate_limit_rule(
    'NOTICES_PER_IDENTIFIER',
    -- By the account: a limit of an address that it does not have any more would outlive the account.
    case queue_notice.identifier_type when 'EMAIL' then account.id::text else queue_notice.identifier end
  )]);
  v_request := row(
    queue_notice.identifier, queue_notice.identifier_type, queue_notice.purpose, false, coalesce(v_verdict.taken_at, clock_timestamp()),
    queue_notice.languages, null, account.id, queue_notice.client,
    case queue_notice.identifier_type when 'PHONE' then private.country_of(queue_notice.identifier) end, null, null
  )::private.send_request;
  if v_verdict.wait is null then
    perform private.send_code(v_request);
    return;
  end if;
  if queue_notice.identifier_type = 'PHONE' then
    v_decision := private.decide_send(v_request);
    v_decision.verdict := 'refused';
    v_decision.rule := v_verdict.policy;
    perform private.record_send(v_decision, null);
  end if;
end
$$;

comment on function private.queue_notice("user".account, text, text, text, text[], text) is
$$Queues a notice, without a code, to a phone or email that an account has, or had until now: the owner learns of a change that a stranger
made. Nothing is sent where NOTICES_PER_IDENTIFIER, of the phone or of an email's account, or a fraud rule refuses it, which is recorded of
a phone, or to a test number: the change stays. The caller has locked that limit before the account. account: whose change it tells. purpose: one of private.notice_purposes().
languages: of the request, the preferred one first. client: address as limits count it. Call it last, because it locks the counters of sends.$$;
