create or replace function private.erase_some_events(account_id uuid)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most constant integer := 5000;
  v_events uuid[] := array(
    select e.id from platform.event e where e.user_id = erase_some_events.account_id and e.client is not null limit c_most
  );
begin
  if cardinality(v_events) = c_most then
    -- Only here, as in private.erase_some_sessions.
    perform private.lock_account(erase_some_events.account_id);
  end if;
  update platform.event e set client = null where e.user_id = erase_some_events.account_id and e.id = any (v_events);
  return cardinality(v_events) = c_most;
end
$$;

comment on function private.erase_some_events(uuid) is
$$Removes the addresses from events of an account that is to be erased, thousands at most. account_id: an account that nobody can sign in to any
more. Result: whether there may be more; then call it again in another transaction, and erase the account when it is false.$$;
