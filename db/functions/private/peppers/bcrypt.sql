create or replace function private.bcrypt(prehashes text, salt text)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_prehash text := private.named_prehash(bcrypt.prehashes);
begin
  return crypto.crypt(split_part(v_prehash, ':', -1), bcrypt.salt)
    || case when strpos(v_prehash, ':') > 0 then ':' || split_part(v_prehash, ':', 1) else '' end;
end
$$;

comment on function private.bcrypt(text, text) is
$$A password hash as it is stored: bcrypt of the pre-hash under the current pepper, and the pepper's id. prehashes: as private.named_prehash.
salt: with the cost.$$;
