create or replace function private.registration_salt(phone text, cost integer)
returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  -- bcrypt's base64 has a full stop instead of a plus.
  return '$2a$' || lpad(registration_salt.cost::text, 2, '0') || '$'
    || translate(left(encode(sha256(convert_to('latchkey registration ' || registration_salt.phone, 'UTF8')), 'base64'), 22), '+', '.');
end
$$;

comment on function private.registration_salt(text, integer) is
$$The bcrypt salt of a phone's pending registrations, the same for all of them, so that equal hashes show equal passwords whatever the order
in which registrations arrive. Each phone has its own, and the hashed value is keyed, so no table of hashes can be precomputed.
phone: E.164. cost: bcrypt cost.$$;
