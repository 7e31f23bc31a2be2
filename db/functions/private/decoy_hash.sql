create or replace function private.decoy_hash(phone text)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_cost integer;
begin
  -- Two index scans by phone; the second one wraps around, for phones after the last account.
  select private.password_cost(coalesce(
    (select a.password_hash from "user".account a
     where a.phone > decoy_hash.phone and a.password_hash is not null order by a.phone limit 1),
    (select a.password_hash from "user".account a
     where a.password_hash is not null order by a.phone limit 1)
  )) into v_cost;
  -- No password has a bcrypt hash of 31 dots.
  return private.decoy_salt(v_cost) || repeat('.', 31);
end
$$;

comment on function private.decoy_hash(text) is
$$The hash that a login to a phone without a password is compared with: one that no password has, at the cost of the next account in the
order of phones, after the last account that of the first. So phones without an account are spread over the costs in use as those
with one are, and always the same way for one phone: small differences in the time per cost reveal nothing.
phone: E.164. Result: null where no account has a password.$$;
