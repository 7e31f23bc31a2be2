create or replace function private.erase_due_account()
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account_id uuid;
begin
  select a.id into v_account_id
  from "user".account a
  where a.deletion_due_at <= clock_timestamp()
  order by a.deletion_due_at
  limit 1;
  if v_account_id is null then
    return false;
  end if;
  perform private.erase_account(v_account_id);
  return true;
end
$$;

comment on function private.erase_due_account() is
$$Erases an account whose deletion is due: one per transaction, so that each holds its locks for milliseconds. Result: whether there was one.$$;
