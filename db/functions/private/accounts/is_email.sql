create or replace function private.is_email(email text)
returns boolean
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  -- The length first, because the time of a regular expression grows with it.
  select case
    when length(is_email.email) > 254 then false
    else is_email.email = lower(is_email.email) and is_email.email ~ '^[^@[:space:]]+@[^@[:space:]]+$'
  end
$$;

comment on function private.is_email(text) is
$$Whether a text is an email address as the column's constraint demands it: lower-cased, one "@" with something on each side, no white space, 254
characters at most. Null for null, since an email is optional everywhere. The server asks for more (normalizeEmail).$$;
