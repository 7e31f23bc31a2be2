create or replace function private.decoy_salt(cost integer)
returns text
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select '$2a$' || lpad(decoy_salt.cost::text, 2, '0') || '$' || repeat('.', 21) || 'O'
$$;

comment on function private.decoy_salt(integer) is
$$A fixed bcrypt salt of a cost, for work that only has to take as long as a real comparison.$$;
