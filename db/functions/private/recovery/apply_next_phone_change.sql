create or replace function private.apply_next_phone_change()
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account_id uuid;
  -- Read once: a function that may answer differently at each row is no condition of an index.
  v_now timestamptz := clock_timestamp();
begin
  select r.account_id into v_account_id
  from private.phone_recovery r join "user".account a on a.id = r.account_id
  where r.due_at <= v_now and private.is_usable(a)
  order by r.due_at
  limit 1;
  if v_account_id is null then
    return false;
  end if;
  perform private.apply_phone_change(v_account_id);
  return true;
end
$$;

comment on function private.apply_next_phone_change() is
$$Applies one change of phone that is due, for the clean-up. Result: whether there was one; then call it again, in another transaction.$$;
