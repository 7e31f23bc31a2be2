create or replace function private.fill_template(template text, code text, minutes integer)
returns text
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select replace(replace(fill_template.template, '{{minutes}}', fill_template.minutes::text), '{{code}}', fill_template.code)
$$;

comment on function private.fill_template(text, text, integer) is
$$A text of OTP_PROVIDER with its placeholders filled in. code: for {{code}}. minutes: for {{minutes}}.$$;
