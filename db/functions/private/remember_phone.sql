create or replace function private.remember_phone(account_id uuid, phone text, held_until timestamptz, asked_at timestamptz)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most constant integer := 100;
begin
  insert into private.earlier_phone as e (account_id, phone, held_until, asked_at)
  values (remember_phone.account_id, remember_phone.phone, remember_phone.held_until, remember_phone.asked_at)
  on conflict on constraint earlier_phone_pkey
    do update set held_until = greatest(e.held_until, excluded.held_until), asked_at = greatest(e.asked_at, excluded.asked_at);
  delete from private.earlier_phone e
  where e.account_id = remember_phone.account_id and e.phone in (
    select k.phone
    from private.earlier_phone k
    where k.account_id = remember_phone.account_id
    order by k.held_until desc nulls last, k.asked_at desc
    offset c_most
  );
end
$$;

comment on function private.remember_phone(uuid, text, timestamptz, timestamptz) is
$$Stores that an account had a phone until now, or asks to have it, so that an erasure finds what is stored about it
(private.phones_of_account). Of more than a hundred phones, the one that it asked for longest ago is forgotten.
account_id: of the account. phone: E.164. held_until, asked_at: as private.earlier_phone, one of them null.$$;
