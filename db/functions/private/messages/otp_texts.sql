create or replace function private.otp_texts(provider jsonb)
returns setof private.otp_text
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select null, null, otp_texts.provider ->> 'template'
  union all
  select p.purpose, l.locale, l.template
  from jsonb_each(otp_texts.provider -> 'templates') p (purpose, locales), jsonb_each_text(p.locales) l (locale, template)
$$;

comment on function private.otp_texts(jsonb) is
$$Every text of an OTP_PROVIDER record. provider: a record without a fault; no row but the first where it has no "templates".$$;
