create or replace function fraud.is_listed(list jsonb, facts fraud.send_facts)
returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  -- A calling code has one to eight digits (private.subjects_fault). Comparing the possible prefixes with ?| is faster
  -- than unnesting the list, and a replay does it for every decision.
  return is_listed.list ?| array[
    left(facts.prefix, 2), left(facts.prefix, 3), left(facts.prefix, 4), left(facts.prefix, 5), left(facts.prefix, 6), left(facts.prefix, 7),
    left(facts.prefix, 8), left(facts.prefix, 9), facts.client
  ];
end
$$;

comment on function fraud.is_listed(jsonb, fraud.send_facts) is
$$Whether a list of a rule names a calling code of the phone, or the client. A replay knows a phone without its last six digits: to it a
code that is longer than the rest names no phone. list: of text, such as "+44", "+1876" or "192.0.2.1".$$;
