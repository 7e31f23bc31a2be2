create or replace function private.held_since(earlier private.earlier_phone)
returns timestamptz
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(max(o.held_until), '-infinity')
  from private.earlier_phone o
  where o.phone = earlier.phone and o.account_id <> earlier.account_id and o.held_until < earlier.held_until
$$;

comment on function private.held_since(private.earlier_phone) is
$$The moment before which rows of a phone that an account had are about its holder of that time. -infinity: no other account had it before.
earlier: the phone, with held_until not null.$$;
