create or replace function private.provider_options(provider text)
returns jsonb
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(private.setting('OTP_PROVIDER') -> provider_options.provider, '{}');
end
$$;

comment on function private.provider_options(text) is
$$The options of a provider: the member of OTP_PROVIDER that has its name; {} where there is none.$$;
