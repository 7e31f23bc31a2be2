create or replace function fraud.budget(setting jsonb, facts fraud.send_facts)
returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return (facts.sends_this_hour >= (setting ->> 'perHour')::bigint or facts.sends_last_day >= (setting ->> 'perDay')::bigint)
    and not fraud.is_listed(setting -> 'exempt', facts);
end
$$;

comment on function fraud.budget(jsonb, fraud.send_facts) is
$$FRAUD_BUDGET: whether it refuses a send because the service has sent perHour in this clock hour, or perDay in the last 24.
Exact to the number of sends in flight: they do not see each other. setting: its value. Result: null where the facts are missing.$$;
