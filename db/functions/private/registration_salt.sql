create or replace function private.registration_salt(phone text, cost integer)
returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  -- bcrypt's alphabet has a full stop where base64 has a plus.
  return '$2a$' || lpad(registration_salt.cost::text, 2, '0') || '$'
    || translate(left(encode(sha256(convert_to('latchkey registration ' || registration_salt.phone, 'UTF8')), 'base64'), 22), '+', '.');
end
$$;

comment on function private.registration_salt(text, integer) is
$$The bcrypt salt of a phone's pending registrations, the same for all of them: so registrations that arrive at once, or in any order,
tell by equal hashes that their passwords are equal. Each phone has its own, and what is hashed is keyed, so no table of hashes
can be made beforehand. phone: E.164. cost: bcrypt cost.$$;
