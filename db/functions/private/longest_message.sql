create or replace function private.longest_message(template text)
returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select private.fill_template(
    longest_message.template,
    repeat('0', private.setting_integer('OTP_LENGTH')),
    greatest(1, round(private.setting_integer('OTP_TTL_SECONDS') / 60.0))::integer
  )
$$;

comment on function private.longest_message(text) is
$$The longest message that a text of OTP_PROVIDER makes: with a code of OTP_LENGTH digits and the minutes of OTP_TTL_SECONDS.$$;
