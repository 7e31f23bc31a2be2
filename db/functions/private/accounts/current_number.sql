create or replace function private.current_number(phone text)
returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return case
    when current_number.phone !~ '^\+(52|55|22[59]|241)' then current_number.phone
    -- Benin, 30 November 2024: 01 before the eight digits of every number.
    when current_number.phone ~ '^\+229[2-9]\d{7}$' then '+22901' || substr(current_number.phone, 5)
    -- Gabon, 15 November 2019: 6 or 7, by operator, before a mobile's seven digits, in place of the zero with which
    -- they were often written.
    when current_number.phone ~ '^\+2410?[256]\d{6}$' then '+2416' || right(current_number.phone, 7)
    when current_number.phone ~ '^\+2410?[47]\d{6}$' then '+2417' || right(current_number.phone, 7)
    -- Mexico, 3 August 2019: no 1 before a mobile's number.
    when current_number.phone ~ '^\+521[2-9]\d{9}$' then '+52' || substr(current_number.phone, 5)
    -- Brazil, until November 2016: a ninth digit before a mobile's eight. Those that begin with 7 may be trunked radio,
    -- which keeps eight.
    when current_number.phone ~ '^\+55[1-9]{2}[689]\d{7}$' then left(current_number.phone, 5) || '9' || substr(current_number.phone, 6)
    -- Ivory Coast, 31 January 2021: the operator's two digits before a mobile's eight. Fixed lines receive no SMS.
    when current_number.phone ~ '^\+225(0[1-3]|[457][0-3])\d{6}$' then '+22501' || substr(current_number.phone, 5)
    when current_number.phone ~ '^\+225[04-9][4-6]\d{6}$' then '+22505' || substr(current_number.phone, 5)
    when current_number.phone ~ '^\+225([045789][7-9]|6[78])\d{6}$' then '+22507' || substr(current_number.phone, 5)
    else current_number.phone
  end;
end
$$;

comment on function private.current_number(text) is
$$A phone in its country's present numbering plan, where that has changed (Benin 2024, Ivory Coast 2021, Gabon and Mexico 2019, Brazil 2016); any
other text is itself. The server folds what people type in the same way, and names where each change was checked (runtime/identifiers.ts). phone: E.164.$$;
