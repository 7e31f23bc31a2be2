create or replace function fraud.has_calling_code(codes jsonb, prefix text)
returns boolean
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select exists (select from jsonb_array_elements_text(has_calling_code.codes) c (code) where starts_with(has_calling_code.prefix, c.code))
$$;

comment on function fraud.has_calling_code(jsonb, text) is
$$Whether one of the codes begins a phone. codes: list of text, such as "+44" or "+1876". prefix: as platform.send_decision has it.$$;
