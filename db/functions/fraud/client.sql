create or replace function fraud.client(setting jsonb, facts fraud.send_facts)
returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  -- The days of the verified sends that fraud.counts_of counts. Integer division, because a count is a whole number.
  c_days constant integer := fraud.usual_days();
begin
  return facts.client_unverified
      >= greatest((setting ->> 'minimum')::bigint, (setting ->> 'factor')::bigint * facts.client_verified / c_days)
    and not fraud.is_listed(setting -> 'exempt', facts);
end
$$;

comment on function fraud.client(jsonb, fraud.send_facts) is
$$FRAUD_CLIENT: whether it refuses a send of a client whose unverified sends of the last 24 clock hours have
reached the minimum, and factor times its daily verified ones. setting: its value. Result: null where the facts are missing.$$;
