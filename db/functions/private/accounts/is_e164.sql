create or replace function private.is_e164(phone text)
returns boolean
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(is_e164.phone ~ '^\+[1-9][0-9]{6,14}$', false)
$$;

comment on function private.is_e164(text) is
$$Whether a text has the form of a phone in E.164: a plus sign and 7 to 15 digits, as the columns' constraints demand it. False for null.$$;
