create or replace function private.most_texts()
returns integer
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select 200
$$;

comment on function private.most_texts() is
$$How many texts, or ids of texts in one option, OTP_PROVIDER may have.$$;
