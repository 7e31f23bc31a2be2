create or replace function private.choose_text(texts jsonb, purpose text, languages text[])
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(
    private.choose_locale(choose_text.texts -> choose_text.purpose, choose_text.languages),
    -- The texts for every purpose hold a code, and a notice has none.
    case when choose_text.purpose = any (private.notice_purposes()) is not true then private.choose_locale(choose_text.texts -> 'default', choose_text.languages) end
  );
end
$$;

comment on function private.choose_text(jsonb, text, text[]) is
$$Of texts, or vendors' ids, by purpose and locale: the purpose's for the languages or its default, then the same of those for every purpose
("default"); a notice (private.notice_purposes) has only its own. texts: as "templates" of OTP_PROVIDER. Result: null where there is none.$$;
