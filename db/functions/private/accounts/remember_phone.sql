create or replace function private.remember_phone(account_id uuid, phone text, held_until timestamptz, asked_at timestamptz)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most constant integer := 100;
begin
  with request as (
    delete from private.earlier_phone e
    where e.account_id = remember_phone.account_id and e.phone = remember_phone.phone
      and e.held_until is null and remember_phone.held_until is not null
    returning e.asked_at
  )
  insert into private.earlier_phone as e (account_id, phone, held_until, asked_at)
  values (
    remember_phone.account_id, remember_phone.phone, remember_phone.held_until,
    coalesce(remember_phone.asked_at, (select r.asked_at from request r))
  )
  on conflict on constraint earlier_phone_key do update set asked_at = greatest(e.asked_at, excluded.asked_at);
  delete from private.earlier_phone e
  where e.ctid = any (array(
    select k.ctid
    from private.earlier_phone k
    where k.account_id = remember_phone.account_id
    order by k.held_until desc nulls last, k.asked_at desc
    offset c_most
  ));
end
$$;

comment on function private.remember_phone(uuid, text, timestamptz, timestamptz) is
$$Stores that an account had a phone until now, or asks to have it, so that an erasure finds what is stored about it
(private.phones_of_account). Each time that it had the phone is kept. Of more than a hundred, the one that it asked for longest ago is forgotten.
account_id: of the account. phone: E.164. held_until, asked_at: as private.earlier_phone, one of them null.$$;
