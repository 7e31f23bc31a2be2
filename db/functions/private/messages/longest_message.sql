create or replace function private.longest_message(template text, least_minutes integer default 1)
returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select private.fill_template(
    longest_message.template,
    repeat('0', private.setting_integer('OTP_LENGTH')),
    greatest(longest_message.least_minutes, round(private.setting_integer('OTP_TTL_SECONDS') / 60.0))::integer
  )
$$;

comment on function private.longest_message(text, integer) is
$$The longest message that a text of OTP_PROVIDER makes: with a code of OTP_LENGTH digits and the minutes of OTP_TTL_SECONDS.
least_minutes: the smallest number of minutes to assume.$$;
