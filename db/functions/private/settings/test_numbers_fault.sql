create or replace function private.test_numbers_fault(value jsonb)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most constant integer := 100;
  v_phone text;
  v_entry jsonb;
begin
  if jsonb_typeof(test_numbers_fault.value) is distinct from 'object' then
    return 'must be an object of phones, each with a code and until';
  end if;
  for v_phone in select jsonb_object_keys(test_numbers_fault.value) loop
    v_entry := test_numbers_fault.value -> v_phone;
    if not private.is_e164(v_phone) then
      return format('must have phones such as +12025550123, not %s', left(v_phone, 40));
    end if;
    -- Requests have the number of today, so that this one would be sent SMS.
    if private.current_number(v_phone) <> v_phone then
      return format('%s is of a former numbering plan: write %s', v_phone, private.current_number(v_phone));
    end if;
    if jsonb_typeof(v_entry -> 'code') is distinct from 'string' or v_entry ->> 'code' !~ '^[0-9]{4,10}$' then
      return format('the code of %s must be text of 4 to 10 digits', v_phone);
    end if;
    if jsonb_typeof(v_entry -> 'until') is distinct from 'string' or not private.is_time(v_entry ->> 'until') then
      return format('until of %s must be a time such as 2027-01-31T00:00:00Z', v_phone);
    end if;
    if v_entry - array['code', 'until'] <> '{}' then
      return format('%s may have a code and until, and nothing else', v_phone);
    end if;
  end loop;
  if (select count(*) from jsonb_object_keys(test_numbers_fault.value)) > c_most then
    return format('must have %s phones at most', c_most);
  end if;
  return null;
end
$$;

comment on function private.test_numbers_fault(jsonb) is
$$What is wrong with the value of OTP_TEST_NUMBERS by itself; null when nothing is. Names no code.$$;
