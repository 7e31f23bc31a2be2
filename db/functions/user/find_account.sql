create or replace function "user".find_account(phone text)
returns setof "user".account
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select a.* from "user".account a
  where a.phone in (find_account.phone, private.current_number(find_account.phone))
  order by a.phone = find_account.phone desc
$$;

comment on function "user".find_account(text) is
$$Query find_account: the account of a phone, also where the phone is written as before its country changed its numbering plan. phone: E.164.
Result: one account, or none; two while one has the old form and another one the new.$$;
grant execute on function "user".find_account(text) to latchkey_admin;
