create or replace function private.choose_notice(provider jsonb, languages text[])
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_default constant text :=
    'Your account has another phone number now, and this number no longer signs in to it. If that was not you, contact our support.';
begin
  return coalesce(private.choose_text(provider -> 'templates', 'PHONE_CHANGED', choose_notice.languages), c_default);
end
$$;

comment on function private.choose_notice(jsonb, text[]) is
$$The text that tells a phone that an account does not have it any more: of OTP_PROVIDER's texts for PHONE_CHANGED the one for the first
language that has one, or their default, or our own text. provider: the record. languages: the preferred one first.$$;
