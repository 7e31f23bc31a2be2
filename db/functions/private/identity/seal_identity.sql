create or replace function private.seal_identity(claims jsonb)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform set_config('latchkey.identity', private.identity_signature(claims::text) || claims::text, true);
end
$$;

comment on function private.seal_identity(jsonb) is
$$Makes claims those of the caller until the transaction ends. Any function may set the setting, and only the owner can sign what it holds.
claims: sub, sid, user_type and others; {} for nobody.$$;
