create or replace function private.provider_in_production_fault()
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_providers text[] := private.provider_chain('PHONE');
begin
  if not private.is_production() then
    return null;
  end if;
  if 'console' = any (v_providers) then
    return 'console is refused in production, because it writes codes to the worker''s standard output';
  end if;
  if 'http' = any (v_providers) and private.provider_options('http') ->> 'url' !~ '^https://' then
    return 'http.url must be https in production';
  end if;
  return null;
end
$$;

comment on function private.provider_in_production_fault() is
$$Why production refuses the OTP_PROVIDER that is set; null when it does not. Workers refuse to send by it too, and know the rest: their
credentials and SMS_HTTP_HOSTS.$$;
