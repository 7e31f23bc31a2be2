create or replace function private.choose_template(provider jsonb, purpose text, languages text[])
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_phone_changed constant text :=
    'Your account has another phone number now, and this number no longer signs in to it. If that was not you, contact our support.';
  c_phone_change_due constant text :=
    'Somebody who signed in by your email wants to give your account another phone number. If that was not you, sign in soon and stop it.';
  c_email_changed constant text :=
    'The email address of your account was added, changed or removed. If that was not you, contact our support.';
  c_factors_changed constant text :=
    'A second factor of your account was added, removed or copied. If that was not you, contact our support.';
  c_invitation constant text := 'You are invited to open an account with this phone number: sign up with it.';
begin
  return coalesce(
    private.choose_text(choose_template.provider -> 'templates', choose_template.purpose, choose_template.languages),
    case choose_template.purpose
      when 'PHONE_CHANGED' then c_phone_changed
      when 'PHONE_CHANGE_DUE' then c_phone_change_due
      when 'EMAIL_CHANGED' then c_email_changed
      when 'FACTORS_CHANGED' then c_factors_changed
      when 'INVITATION' then c_invitation
      else choose_template.provider ->> 'template'
    end
  );
end
$$;

comment on function private.choose_template(jsonb, text, text[]) is
$$The text of OTP_PROVIDER for a message: of "templates" as private.choose_text, then "template", or our own text for a notice. provider: the record. purpose: of the message. languages: the
preferred one first.$$;
