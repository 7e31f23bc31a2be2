create or replace function private.is_locale(tag text)
returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  -- "default" has the form of a language tag, too.
  return length(is_locale.tag) <= private.longest_language_tag() and is_locale.tag ~ '^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$';
end
$$;

comment on function private.is_locale(text) is
$$Whether a text may be given for it: a language tag (BCP 47), or default.$$;
