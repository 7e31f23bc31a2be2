create or replace function latchkey.notify_changes(table_name regclass)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_table pg_class;
begin
  select c.* into v_table from pg_class c where c.oid = notify_changes.table_name;
  if v_table.oid is null then
    raise exception 'latchkey.notify_changes needs the name of a table' using errcode = 'undefined_table';
  end if;
  if v_table.relkind <> 'r' or v_table.relpersistence = 't' or exists (select from pg_inherits i where i.inhrelid = v_table.oid) then
    raise exception '% is not an ordinary table: a view, and a table that is partitioned or inherits, has no trigger that sees all its changes',
      v_table.oid::regclass
      using errcode = 'wrong_object_type',
        hint = 'Call it for the tables that a view reads, and subscribe to those.';
  end if;
  if not pg_has_role(v_table.relowner, 'usage') then
    raise exception 'only the owner of %, %, may have its changes notified', v_table.oid::regclass, v_table.relowner::regrole
      using errcode = 'insufficient_privilege';
  end if;
  -- As the caller, so that PostgreSQL checks the caller's rights, too.
  execute format(
    'create or replace trigger latchkey_notify_changes after insert or update or delete or truncate on %s
     for each statement execute function latchkey.notify_change()', v_table.oid::regclass
  );
end
$$;

comment on function latchkey.notify_changes(regclass) is
$$Makes GraphQL's subscriptions to a table live: a trigger notifies GraphQL of every statement that writes to the table.
A second call changes nothing; "drop trigger latchkey_notify_changes on …" ends it. NOTIFY makes transactions that write to the table commit one
after the other, in the whole database: at 16 connections a fifth of the commits per second are left. table_name: an ordinary table of the
caller.$$;
