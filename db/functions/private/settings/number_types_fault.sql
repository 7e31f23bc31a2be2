create or replace function private.number_types_fault(list jsonb)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_types constant jsonb := jsonb '["FIXED_LINE", "FIXED_LINE_OR_MOBILE", "MOBILE", "PAGER", "PERSONAL_NUMBER", "PREMIUM_RATE", "SHARED_COST",
    "TOLL_FREE", "UAN", "VOICEMAIL", "VOIP", "INVALID"]';
begin
  if jsonb_typeof(number_types_fault.list) = 'array' and number_types_fault.list <@ c_types
    and jsonb_array_length(number_types_fault.list) <= jsonb_array_length(c_types) then
    return null;
  end if;
  return 'must be a list of types of numbers, each once: '
    || (select string_agg(t.name, ', ' order by t.position) from jsonb_array_elements_text(c_types) with ordinality t (name, position));
end
$$;

comment on function private.number_types_fault(jsonb) is
$$What is wrong with the types of the rule FRAUD_NUMBER_TYPES; null when nothing is. They are libphonenumber's, and INVALID: a number of no plan.$$;
