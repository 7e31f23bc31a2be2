create or replace function fraud.cool_down(setting jsonb, facts fraud.send_facts)
returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return facts.since_last < make_interval(secs => (setting ->> 'seconds')::integer) and not fraud.is_listed(setting -> 'exempt', facts);
end
$$;

comment on function fraud.cool_down(jsonb, fraud.send_facts) is
$$FRAUD_COOL_DOWN: whether it refuses a send to a phone so soon after the one before. setting: its value.
Result: null where the facts are missing.$$;
