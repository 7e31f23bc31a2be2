create or replace function private.autofill_line(autofill text, code text)
returns text
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select E'\n\n' || case
    when starts_with(autofill_line.autofill, '@') then format('%s #%s', autofill_line.autofill, autofill_line.code)
    else autofill_line.autofill
  end
$$;

comment on function private.autofill_line(text, text) is
$$The end of a message by which a phone fills the code in: a blank line, then "@host #code" (WICG: Origin-bound one-time codes) or an
app's hash (Android: SMS Retriever). autofill: column of platform.otp_transaction; null for null. code: that of the message.$$;
