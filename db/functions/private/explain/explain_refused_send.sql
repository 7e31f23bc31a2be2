create or replace function private.explain_refused_send(decision platform.send_decision)
returns platform.delivery_event
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select row(
    decision.at, format('The fraud rule %s refused to send a code for %s.', decision.rule, decision.purpose), null,
    format('%scountry of the phone: %s', 'requested by the client ' || nullif(decision.client, '') || '; ', decision.country)
      || coalesce('; type of the number: ' || decision.number_type, '') || '; decision ' || decision.id || ', see docs/fraud.md'
  )::platform.delivery_event
$$;

comment on function private.explain_refused_send(platform.send_decision) is
$$A send that a fraud rule refused, as an event. decision: with verdict refused.$$;
