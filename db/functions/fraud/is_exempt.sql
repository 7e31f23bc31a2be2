create or replace function fraud.is_exempt(setting jsonb, facts fraud.send_facts)
returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return fraud.has_calling_code(setting -> 'exempt', facts.prefix) or setting -> 'exempt' ? facts.client;
end
$$;

comment on function fraud.is_exempt(jsonb, fraud.send_facts) is
$$Whether a rule leaves a send alone: its list "exempt" names a calling code of the phone, or the client.
setting: value of the rule's setting.$$;
