create or replace function private.autofill_error(identifier_type text, origin text, app_hash text)
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if autofill_error.origin is null and autofill_error.app_hash is null then
    return null;
  end if;
  if autofill_error.identifier_type = 'PHONE' and private.autofill_target(autofill_error.origin, autofill_error.app_hash) is not null then
    return null;
  end if;
  return private.error('INVALID_REQUEST', '{"field": "input.autofill", "reason": "autofill_not_allowed"}');
end
$$;

comment on function private.autofill_error(text, text, text) is
$$Refuses an autofill target that is not on its list, so that nobody can make us name another site, and one of a message that is no SMS.
identifier_type: PHONE or EMAIL. origin, app_hash: as private.autofill_target.
Errors: INVALID_REQUEST (details.field input.autofill, details.reason autofill_not_allowed).$$;
