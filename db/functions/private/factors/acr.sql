create or replace function private.acr(amr text[])
returns text
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select case when acr.amr is null then null when 'mfa' = any (acr.amr) then 'aal2' else 'aal1' end
$$;

comment on function private.acr(text[]) is
$$How strongly somebody signed in, for claim acr: aal2 with two factors, or with a passkey that verified its user; else aal1. amr: as
"user".session. Null for null.$$;
