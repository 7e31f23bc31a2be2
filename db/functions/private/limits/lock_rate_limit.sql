create or replace function private.lock_rate_limit(key text)
returns platform.rate_limit
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_window platform.rate_limit;
begin
  loop
    select l.* into v_window from platform.rate_limit l where l.key = lock_rate_limit.key for update;
    exit when found;
    -- A loop, because another transaction may insert the row between the two statements, or the clean-up delete it.
    insert into platform.rate_limit as l (key) values (lock_rate_limit.key) on conflict do nothing returning l.* into v_window;
    exit when found;
  end loop;
  return v_window;
end
$$;

comment on function private.lock_rate_limit(text) is
$$The window of a rule's key, locked until the transaction ends; a new and empty one where there was none.$$;
