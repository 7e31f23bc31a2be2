create or replace function private.identity_signature(claims text)
returns text
language plpgsql stable parallel restricted
set search_path = pg_catalog, pg_temp
as $$
declare
  v_key bytea;
begin
  select i.identity_key into v_key from private.installation i;
  -- The process and the start of the transaction: a signature that somebody copied is worth nothing in another one.
  return encode(
    crypto.hmac(convert_to(concat_ws(' ', pg_backend_pid(), extract(epoch from now()), identity_signature.claims), 'UTF8'), v_key, 'sha256'), 'hex'
  );
end
$$;

comment on function private.identity_signature(text) is
$$The signature of claims for this transaction, 64 hexadecimal digits. claims: as private.seal_identity stores them.$$;
