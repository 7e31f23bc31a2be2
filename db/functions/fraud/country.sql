create or replace function fraud.country(setting jsonb, facts fraud.send_facts)
returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  -- The days of the verified sends that fraud.counts_of counts. Integer division, because a count is a whole number.
  c_days constant integer := fraud.usual_days();
begin
  return facts.country_unverified
      >= greatest((setting ->> 'minimum')::bigint, (setting ->> 'factor')::bigint * facts.country_verified / c_days)
    and not facts.known and not fraud.is_listed(setting -> 'exempt', facts);
end
$$;

comment on function fraud.country(jsonb, fraud.send_facts) is
$$FRAUD_COUNTRY: whether it refuses a send to a country whose unverified sends of the last 24 clock hours
have reached the minimum, and factor times its daily verified ones. It allows phones whose account the
client has logged in to (fact "known"): the difference reveals nothing to that client. setting: its value. Result: null where the facts are missing.$$;
