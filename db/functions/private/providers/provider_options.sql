create or replace function private.provider_options(provider text, identifier text)
returns jsonb
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_record jsonb := private.setting('OTP_PROVIDER');
begin
  return coalesce(
    private.routed_record(v_record, private.route_of(v_record, provider_options.identifier)) -> provider_options.provider, '{}'
  );
end
$$;

comment on function private.provider_options(text, text) is
$$The options of a provider for a message: the member of OTP_PROVIDER, or of the route of the phone, that has its name; {} where there is none.
identifier: E.164, or an email address.$$;
