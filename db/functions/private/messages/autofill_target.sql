create or replace function private.autofill_target(origin text, app_hash text)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if autofill_target.origin is not null and private.setting('OTP_ORIGINS') ? autofill_target.origin then
    return '@' || (regexp_match(autofill_target.origin, '^https?://([^:/]+)'))[1];
  end if;
  if autofill_target.app_hash is not null and private.setting('OTP_APP_HASHES') ? autofill_target.app_hash then
    return autofill_target.app_hash;
  end if;
  return null;
end
$$;

comment on function private.autofill_target(text, text) is
$$What the last line of a message names, so that only its recipient fills the code in: "@" and the host of an origin, or an app's hash.
origin: of OTP_ORIGINS, or null. app_hash: of OTP_APP_HASHES, or null. Result: null where both are null or neither is on its list.$$;
