create or replace function private.hash_imported_password(imported private.imported_user, cost integer)
returns text
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  -- A line that was imported before costs no bcrypt.
  if private.imported_id(imported) is not null then
    return null;
  end if;
  return private.bcrypt(
    imported.foreign_prehash,
    crypto.gen_salt('bf', least(hash_imported_password.cost, private.setting_integer('PASSWORD_HASH_COST')))
  );
end
$$;

comment on function private.hash_imported_password(private.imported_user, integer) is
$$bcrypt of the keyed pre-hash of an imported hash; null without one, or where the user was imported before. cost: bcrypt cost, lowered to
PASSWORD_HASH_COST, because a higher one would slow every login (private.compare_password).$$;
