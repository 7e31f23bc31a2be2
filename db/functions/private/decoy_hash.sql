create or replace function private.decoy_hash(phone text)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_cost integer;
begin
  -- Two looks into the index by phone; the second is the beginning of the circle, for phones after the last account.
  select private.password_cost(coalesce(
    (select a.password_hash from "user".account a
     where a.phone > decoy_hash.phone and a.password_hash is not null order by a.phone limit 1),
    (select a.password_hash from "user".account a
     where a.password_hash is not null order by a.phone limit 1)
  )) into v_cost;
  -- 31 dots are no bcrypt of anything: nobody can find a password for them.
  return private.decoy_salt(v_cost) || repeat('.', 31);
end
$$;

comment on function private.decoy_hash(text) is
$$What a login to a phone without a password is compared with: a hash that no password has, at the cost of the next account in
the order of phones. So phones without an account are spread over the costs in use as those with one are, always the same way for
one phone, and the little time that a cost takes more or less tells nothing. After the last account comes the first.
phone: E.164. Null where there is no account with a password.$$;
