create or replace function fraud.country(setting jsonb, facts fraud.send_facts)
returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return fraud.is_unusual(setting, facts.country_unverified, facts.country_verified)
    and not facts.known and not fraud.is_exempt(setting, facts);
end
$$;

comment on function fraud.country(jsonb, fraud.send_facts) is
$$FRAUD_COUNTRY: whether it refuses a send to a country that has unusually many unverified sends. Leaves phones alone whose account the
client is known to have (fact "known"): it learns nothing by the difference. setting: its value. Result: null where the facts are missing.$$;
