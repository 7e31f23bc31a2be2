create or replace function fraud.gather_facts(rules jsonb, request private.send_request)
returns fraud.send_facts
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- In UTC, so that the session's time zone does not shift hours and days.
  v_hour timestamptz := date_trunc('hour', request.counted_at, 'UTC');
  v_day timestamptz := date_trunc('day', request.counted_at, 'UTC');
  v_budget boolean := gather_facts.rules #>> '{FRAUD_BUDGET,mode}' <> 'off';
  v_country boolean := gather_facts.rules #>> '{FRAUD_COUNTRY,mode}' <> 'off';
  -- Codes that anybody has sent make FRAUD_COUNTRY, FRAUD_CLIENT and FRAUD_COOL_DOWN refuse: a thief could suppress the
  -- notice with them.
  v_is_notice boolean := request.purpose = any (private.notice_purposes());
  v_is_reset boolean := request.purpose = 'PASSWORD_RESET' and not request.awaited;
  v_client boolean := gather_facts.rules #>> '{FRAUD_CLIENT,mode}' <> 'off' and not v_is_notice;
  v_cool_down boolean := gather_facts.rules #>> '{FRAUD_COOL_DOWN,mode}' <> 'off' and not v_is_notice;
  v_facts fraud.send_facts;
begin
  v_facts.at := request.counted_at;
  -- As long as the longest calling code of a rule; stored is less (private.phone_prefix).
  v_facts.prefix := left(request.identifier, 9);
  v_facts.country := request.country;
  v_facts.client := request.client;
  v_facts.purpose := request.purpose;
  v_facts.number_type := request.number_type;

  if v_budget then
    select coalesce(sum(c.sends) filter (where c.starts_at = v_hour), 0), coalesce(sum(c.sends), 0)
    into v_facts.sends_this_hour, v_facts.sends_last_day
    from private.send_count c
    where c.subject = 'all' and c.period = 'hour' and c.starts_at > v_hour - fraud.recent_period();
  end if;
  if v_country then
    select u.unverified, u.verified into v_facts.country_unverified, v_facts.country_verified
    from fraud.counts_of('country:' || request.country, v_hour, v_day) u;
    v_facts.known := v_is_notice or v_is_reset or private.is_known_client(request.identifier, request.client);
  end if;
  if v_client then
    select u.unverified, u.verified into v_facts.client_unverified, v_facts.client_verified
    from fraud.counts_of('client:' || request.client, v_hour, v_day) u;
  end if;
  if v_cool_down then
    v_facts.since_last := fraud.since_last(request.identifier, request.counted_at);
  end if;
  return v_facts;
end
$$;

comment on function fraud.gather_facts(jsonb, private.send_request) is
$$The facts of a send that is about to happen. Reads no counter that only rules in mode "off" need. It sees what was committed before
the call: call it after the limits have locked the phone. rules: as fraud.rules_in_force(). A reset that no request awaits
(POST /auth/reset-password) is sent only to accounts: they are not read for it, so the answer cannot reveal whether there is one.
A notice (private.notice_purposes) has no facts of client and phone, and counts as known: no rule that codes make refuse keeps it back.$$;
