create or replace function fraud.calling_codes(setting jsonb, facts fraud.send_facts)
returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  if fraud.is_exempt(setting, facts) then
    return false;
  end if;
  if fraud.has_calling_code(setting -> 'blocked', facts.prefix) then
    return true;
  end if;
  return setting -> 'allowed' <> '[]' and not fraud.has_calling_code(setting -> 'allowed', facts.prefix);
end
$$;

comment on function fraud.calling_codes(jsonb, fraud.send_facts) is
$$FRAUD_CALLING_CODES: whether it refuses a phone whose calling code is blocked, or is not among those allowed where any are listed.
setting: its value.$$;
