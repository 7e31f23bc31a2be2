create or replace function private.identifier_error(field text, identifier text, identifier_type text default 'PHONE')
returns api.error
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if (case identifier_error.identifier_type
    when 'EMAIL' then private.is_email(identifier_error.identifier)
    else private.is_e164(identifier_error.identifier)
  end) is false then
    return private.error('INVALID_IDENTIFIER', jsonb_build_object('field', identifier_error.field));
  end if;
  return null;
end
$$;

comment on function private.identifier_error(text, text, text) is
$$Why a phone or an email address is refused; null for a valid one, and for no email. Every function that stores or counts one starts with
it: a constraint's error would write the row to PostgreSQL's log. field: its name in the request. identifier_type: PHONE or EMAIL.
Errors: INVALID_IDENTIFIER (details.field).$$;
