create or replace function private.otp_text_name(otp_text private.otp_text)
returns text
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select case when otp_text.purpose is null then 'template' else format('templates.%s.%s', otp_text.purpose, otp_text.locale) end
$$;

comment on function private.otp_text_name(private.otp_text) is
$$Where a text stands in OTP_PROVIDER, for messages: template, or templates.<purpose>.<locale>.$$;
