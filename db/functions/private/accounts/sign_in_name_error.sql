create or replace function private.sign_in_name_error(phone text, email text)
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return case
    when sign_in_name_error.email is null then private.identifier_error('phone', sign_in_name_error.phone)
    when sign_in_name_error.phone is not null then
      private.error('INVALID_REQUEST', jsonb_build_object('field', 'email', 'reason', 'invalid'))
    when private.setting('EMAIL_SIGN_IN') <> '"on"' then
      private.error('INVALID_REQUEST', jsonb_build_object('reason', 'not_enabled'))
    else private.identifier_error('email', sign_in_name_error.email, 'EMAIL')
  end;
end
$$;

comment on function private.sign_in_name_error(text, text) is
$$Why nobody can sign in by this phone or this email, of which one is null; null for a valid one. phone: E.164. email: lower-cased.
Errors: INVALID_IDENTIFIER (details.field phone or email), INVALID_REQUEST (details.field email: both were given; details.reason not_enabled: an
email while EMAIL_SIGN_IN is off).$$;
