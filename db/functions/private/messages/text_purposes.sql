create or replace function private.text_purposes()
returns text[]
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select array['LOGIN', 'SIGNUP', 'PASSWORD_RESET', 'PHONE_CHANGE', 'PHONE_CHANGED', 'default']
$$;

comment on function private.text_purposes() is
$$The purposes by which OTP_PROVIDER has texts and vendors' ids of them: those of codes, the notice PHONE_CHANGED, and default.$$;
