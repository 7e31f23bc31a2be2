-- Fraud rules, their facts and counters.

create or replace function test.facts(changes jsonb default '{}')
returns fraud.send_facts
language sql immutable
as $$
  select jsonb_populate_record(null::fraud.send_facts, '{
    "at": "2026-03-04T10:20:30Z", "prefix": "+12025", "country": "US", "client": "192.0.2.1", "purpose": "LOGIN", "sends_this_hour": 0,
    "sends_last_day": 0, "country_unverified": 0, "country_verified": 0, "client_unverified": 0, "client_verified": 0,
    "since_last": "1 day", "known": false, "number_type": "MOBILE"
  }' || changes)
$$;
comment on function test.facts(jsonb) is $$Facts to which no rule objects, with these changes.$$;

create or replace function test.rule(key text, changes jsonb default '{"mode": "enforce"}')
returns jsonb
language sql stable
as $$
  select d.default_value || changes from private.setting_definition d where d.key = rule.key
$$;
comment on function test.rule(text, jsonb) is $$A rule's default value with these changes.$$;

create or replace function test.make_decision(changes jsonb default '{}')
returns platform.send_decision
language sql
as $$
  insert into platform.send_decision
  select (jsonb_populate_record(null::platform.send_decision,
    to_jsonb(test.facts()) || jsonb_build_object('id', private.new_id(), 'at', now(), 'verdict', 'allowed', 'otp_id', private.new_id()) || changes)).*
  returning *
$$;
comment on function test.make_decision(jsonb) is $$Stores an allowed decision of now, with these changes.$$;

create or replace function test.count(subject text, period text, starts_at timestamptz)
returns text
language sql
as $$
  select coalesce(sum(c.sends), 0) || ' ' || coalesce(sum(c.verified), 0) from private.send_count c
  where c.subject = count.subject and c.period = count.period and c.starts_at = date_trunc(count.period, count.starts_at, 'UTC')
$$;
comment on function test.count(text, text, timestamptz) is $$Sends and verified ones of a counter's hour or day.$$;
