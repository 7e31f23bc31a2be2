create or replace function private.decoy_password(identifier text)
returns "user".account
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_position bytea := (
    select substr(crypto.hmac(convert_to(decoy_password.identifier, 'UTF8'), k.key, 'sha256'), 1, 8) from private.decoy_key k
  );
  v_chosen "user".account;
begin
  -- Index scans, each of one row: the next account, the first one, and where there is none the first one of all.
  select (c.account).* into v_chosen
  from (
    (
      select 1, a from "user".account a
      where left(a.phone, 4) = left(decoy_password.identifier, 4) and substr(sha256(uuid_send(a.id)), 1, 8) >= v_position
        and a.password_hash is not null
      order by substr(sha256(uuid_send(a.id)), 1, 8) limit 1
    )
    union all
    (
      select 2, a from "user".account a
      where left(a.phone, 4) = left(decoy_password.identifier, 4) and a.password_hash is not null
      order by substr(sha256(uuid_send(a.id)), 1, 8) limit 1
    )
    union all
    (
      select 3, a from "user".account a
      where strpos(decoy_password.identifier, '@') > 0 and substr(sha256(uuid_send(a.id)), 1, 8) >= v_position
        and a.password_hash is not null and a.email_verified_at is not null
      order by substr(sha256(uuid_send(a.id)), 1, 8) limit 1
    )
    union all
    (
      select 4, a from "user".account a
      where strpos(decoy_password.identifier, '@') > 0 and a.password_hash is not null and a.email_verified_at is not null
      order by substr(sha256(uuid_send(a.id)), 1, 8) limit 1
    )
    union all
    (
      select 5, a from "user".account a
      where a.password_hash is not null
      order by left(a.phone, 4), substr(sha256(uuid_send(a.id)), 1, 8) limit 1
    )
  ) c (preference, account)
  order by c.preference
  limit 1;
  -- No password has a bcrypt hash of 31 dots.
  v_chosen.password_hash := private.decoy_salt(private.password_cost(v_chosen.password_hash)) || repeat('.', 31);
  return v_chosen;
end
$$;

comment on function private.decoy_password(text) is
$$What a login to a phone or email without a password is compared with: an account whose hash no password has, at the cost and with the scheme
of the one that a keyed hash of it chooses among those with the same first digits, for an email among those that have verified one. So phones without an account are spread over the
costs and schemes in use as those with one are, and always the same way for one phone. The account next in the order of
phones would not do: where the scheme changes from one phone to the next, an attacker would have found an account.
identifier: E.164 or lower-cased email. Result: all null where no account has a password.$$;
