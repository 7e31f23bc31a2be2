create or replace function private.run_hook(name text, types text[], result text, arguments text[])
returns text
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  c_longest constant interval := interval '500 milliseconds';
  -- Shorter, so that a locked row is a fault that leaves the connection open.
  c_longest_wait constant interval := interval '400 milliseconds';
  v_started timestamptz := clock_timestamp();
  v_lock_timeout interval := current_setting('lock_timeout')::interval;
  v_has_timer boolean := current_setting('transaction_timeout', true) = '0';
  v_result text;
begin
  if current_user <> 'latchkey_hook' then
    raise exception 'private.run_hook does not belong to latchkey_hook: a hook would have the rights of %', current_user;
  end if;
  -- A time-out of the statement that runs is not changed by a setting. Those of its locks are, and from PostgreSQL 17 on
  -- that of its transaction, which ends the connection.
  if v_lock_timeout = '0' or v_lock_timeout > c_longest_wait then
    perform set_config('lock_timeout', '400ms', true);
  end if;
  if v_has_timer then
    perform set_config('transaction_timeout', '500ms', true);
  end if;
  if result = 'void' then
    execute format('select from hook.%I(%s)', run_hook.name, (
      select string_agg(format('($1)[%s]::%s', t.position, t.type::regtype), ', ' order by t.position)
      from unnest(run_hook.types) with ordinality t (type, position)
    )) using arguments;
  else
    execute format('select h::text from hook.%I(%s) h', run_hook.name, (
      select string_agg(format('($1)[%s]::%s', t.position, t.type::regtype), ', ' order by t.position)
      from unnest(run_hook.types) with ordinality t (type, position)
    )) into v_result using arguments;
  end if;
  -- What the hook deferred would run at COMMIT, without its time limit and with the rights of the connection.
  set constraints all immediate;
  if clock_timestamp() - v_started > c_longest then
    raise exception 'it took longer than 500 ms' using errcode = 'query_canceled';
  end if;
  perform set_config('lock_timeout', (extract(epoch from v_lock_timeout) * 1000)::integer::text, true);
  if v_has_timer then
    perform set_config('transaction_timeout', '0', true);
  end if;
  return v_result;
exception
  when others or query_canceled then
    -- The server repeats a call that met a locked row, and then has more time.
    if sqlstate = '55P03' and v_lock_timeout > '0' and v_lock_timeout < c_longest_wait then
      raise;
    end if;
    raise exception 'hook.% failed: %', run_hook.name, sqlerrm
      using errcode = 'HK000', detail = format('SQLSTATE %s', sqlstate),
        hint = 'It is a function of the application (docs/application-data.md#hooks). The request has failed, and changed nothing.';
end
$$;

comment on function private.run_hook(text, text[], text, text[]) is
$$Runs a hook as latchkey_hook, which owns this function: a role cannot be taken on in a definer function. Only private.call_hook calls it, once
it has seen that the hook exists. name: of the hook. types, result: of its arguments and answer. arguments: as text. Result: the answer as text.
Any fault is an error HK000 that names the hook: of its code, or because it took longer than 500 ms.$$;
grant create on schema private to latchkey_hook;
alter function private.run_hook(text, text[], text, text[]) owner to latchkey_hook;
revoke create on schema private from latchkey_hook;
