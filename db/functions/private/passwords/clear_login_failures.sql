create or replace function private.clear_login_failures(phone text)
returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  -- An array, whose length PostgreSQL takes to be ten: for a join it expected so many keys that it read the whole
  -- table.
  delete from platform.rate_limit l
  where l.key = any (array(
    select d.key from platform.rate_limit d
    where d.key = 'LOGIN_FAILURES_PER_PHONE:' || clear_login_failures.phone
      -- A range, because before PostgreSQL 18 starts_with() with a parameter reads the whole table. '!' sorts after the
      -- space.
      or (
        d.key >= 'LOGIN_FAILURES_PER_PHONE_AND_IP:' || clear_login_failures.phone || ' '
        and d.key < 'LOGIN_FAILURES_PER_PHONE_AND_IP:' || clear_login_failures.phone || '!'
      )
    order by d.key
    for update
  ))
$$;

comment on function private.clear_login_failures(text) is
$$Forgets a phone's failed logins, by every client: its holder has just proved to hold it. phone: E.164.$$;
