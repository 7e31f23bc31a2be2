create or replace function private.choose_template(provider jsonb, purpose text, languages text[])
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_notice constant text :=
    'Your account has another phone number now, and this number no longer signs in to it. If that was not you, contact our support.';
begin
  return coalesce(
    private.choose_text(choose_template.provider -> 'templates', choose_template.purpose, choose_template.languages),
    case choose_template.purpose when 'PHONE_CHANGED' then c_notice else choose_template.provider ->> 'template' end
  );
end
$$;

comment on function private.choose_template(jsonb, text, text[]) is
$$The text of OTP_PROVIDER for a message: of "templates" as private.choose_text, then "template", or our own text for a notice
(PHONE_CHANGED), which tells a phone that an account does not have it any more. provider: the record. purpose: of the message. languages: the
preferred one first.$$;
