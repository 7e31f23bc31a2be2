create or replace function fraud.calling_codes(setting jsonb, facts fraud.send_facts)
returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  if fraud.is_listed(setting -> 'exempt', facts) then
    return false;
  end if;
  if fraud.is_listed(setting -> 'blocked', facts) then
    return true;
  end if;
  return setting -> 'allowed' <> '[]' and not fraud.is_listed(setting -> 'allowed', facts);
end
$$;

comment on function fraud.calling_codes(jsonb, fraud.send_facts) is
$$FRAUD_CALLING_CODES: whether it refuses a phone whose calling code is blocked, or is not among those allowed where any are listed.
setting: its value.$$;
