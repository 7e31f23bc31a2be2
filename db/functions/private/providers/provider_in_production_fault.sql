create or replace function private.provider_in_production_fault()
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_record jsonb;
  v_providers text[];
begin
  if not private.is_production() then
    return null;
  end if;
  for v_record in select private.routed_records(private.setting('OTP_PROVIDER')) loop
    v_providers := array(select private.providers_of(v_record));
    if 'console' = any (v_providers) then
      return 'console is refused in production, because it writes codes to the worker''s standard output';
    end if;
    if 'http' = any (v_providers) and v_record #>> '{http,url}' !~ '^https://' then
      return 'http.url must be https in production';
    end if;
  end loop;
  return null;
end
$$;

comment on function private.provider_in_production_fault() is
$$Why production refuses the OTP_PROVIDER that is set, or one of its routes; null when it does not. Workers refuse to send by it too, and know the
rest: their credentials and SMS_HTTP_HOSTS.$$;
