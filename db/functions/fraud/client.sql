create or replace function fraud.client(setting jsonb, facts fraud.send_facts)
returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return fraud.is_unusual(setting, facts.client_unverified, facts.client_verified) and not fraud.is_exempt(setting, facts);
end
$$;

comment on function fraud.client(jsonb, fraud.send_facts) is
$$FRAUD_CLIENT: whether it refuses a send of a client that has unusually many unverified sends. setting: its value.
Result: null where the facts are missing.$$;
