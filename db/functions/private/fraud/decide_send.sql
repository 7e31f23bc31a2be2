create or replace function private.decide_send(request private.send_request)
returns platform.send_decision
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rules jsonb := fraud.rules_in_force();
  v_facts fraud.send_facts := fraud.gather_facts(v_rules, request);
  v_verdict fraud.decision := fraud.decide(v_rules, v_facts);
  v_decision platform.send_decision;
begin
  v_decision.at := v_facts.at;
  v_decision.prefix := private.phone_prefix(request.identifier);
  v_decision.country := v_facts.country;
  v_decision.client := v_facts.client;
  v_decision.purpose := v_facts.purpose;
  v_decision.sends_this_hour := v_facts.sends_this_hour;
  v_decision.sends_last_day := v_facts.sends_last_day;
  v_decision.country_unverified := v_facts.country_unverified;
  v_decision.country_verified := v_facts.country_verified;
  v_decision.client_unverified := v_facts.client_unverified;
  v_decision.client_verified := v_facts.client_verified;
  v_decision.since_last := v_facts.since_last;
  v_decision.known := v_facts.known;
  v_decision.number_type := v_facts.number_type;
  v_decision.id := private.new_id();
  v_decision.verdict := v_verdict.verdict;
  v_decision.rule := v_verdict.rule;
  return v_decision;
end
$$;

comment on function private.decide_send(private.send_request) is
$$Decides about an SMS that no rate limit refused; the caller stores the decision (private.record_send). Called while it holds the lock of
the phone's OTP_SEND_PER_IDENTIFIER (of a notice NOTICES_PER_IDENTIFIER), so decisions about one phone are made one after another.$$;
