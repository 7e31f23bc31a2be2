create or replace function private.fraud_error(decision platform.send_decision)
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_facts fraud.send_facts;
  v_wait interval;
begin
  if decision.verdict <> 'refused' then
    return null;
  end if;
  v_facts.at := decision.at;
  v_facts.since_last := decision.since_last;
  v_wait := fraud.retry_after(decision.rule, private.setting(decision.rule), v_facts);
  return private.error('RATE_LIMIT_EXCEEDED', jsonb_build_object(
    'retryAfterSeconds', ceil(extract(epoch from v_wait))::integer,
    'policy', decision.rule
  ));
end
$$;

comment on function private.fraud_error(platform.send_decision) is
$$The error of a send that a fraud rule refuses; null for one that is allowed. It names only the rule: bounds and counts would
help an attacker to stay below them. Errors: RATE_LIMIT_EXCEEDED (details: policy, retryAfterSeconds).$$;
