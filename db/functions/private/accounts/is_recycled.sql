create or replace function private.is_recycled(account "user".account)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(
    account.last_used_on
      < (clock_timestamp() at time zone 'UTC')::date - private.setting_integer('PHONE_RECYCLED_AFTER_DAYS'),
    false
  );
end
$$;

comment on function private.is_recycled("user".account) is
$$Whether nobody has used an account for PHONE_RECYCLED_AFTER_DAYS: its carrier may have given the number to somebody else since.
account: a row as read; all null: false.$$;
