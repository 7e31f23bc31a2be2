create or replace function private.choose_template(provider jsonb, purpose text, languages text[])
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(private.choose_text(provider -> 'templates', choose_template.purpose, choose_template.languages), provider ->> 'template');
end
$$;

comment on function private.choose_template(jsonb, text, text[]) is
$$The text of OTP_PROVIDER for a message: of "templates" as private.choose_text, then "template". provider: the record. purpose: of the
code. languages: the preferred one first.$$;
