create or replace function private.decide_send(
  identifier text, country text, purpose text, client text, is_reset boolean, at timestamptz
)
returns platform.send_decision
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rules jsonb := fraud.rules_in_force();
  v_facts fraud.send_facts := fraud.gather_facts(v_rules, identifier, country, purpose, client, is_reset, at);
  v_verdict fraud.decision := fraud.decide(v_rules, v_facts);
  -- The facts, into the columns of their names.
  v_decision platform.send_decision := jsonb_populate_record(null::platform.send_decision, to_jsonb(v_facts));
begin
  v_decision.id := private.new_id();
  v_decision.verdict := v_verdict.verdict;
  v_decision.rule := v_verdict.rule;
  return v_decision;
end
$$;

comment on function private.decide_send(text, text, text, text, boolean, timestamptz) is
$$Decides about an SMS that no rate limit refused; the caller stores the decision (private.record_send). Called while it holds the lock of
the phone's OTP_SEND_PER_IDENTIFIER, so decisions about one phone are made one after another. Parameters: as fraud.gather_facts.$$;
