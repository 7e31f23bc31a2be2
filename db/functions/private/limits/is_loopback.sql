create or replace function private.is_loopback(client text)
returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return is_loopback.client = '::1' or is_loopback.client ~ '^127\.[0-9.]+$';
end
$$;

comment on function private.is_loopback(text) is
$$Whether a client is this machine: a developer, or a proxy that TRUST_PROXY does not declare. client: address as limits count it.$$;
