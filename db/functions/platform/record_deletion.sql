create or replace function platform.record_deletion()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rows bigint := (select count(*) from gone);
begin
  if v_rows > 0 then
    perform private.record_event('admin.acted', null, null, jsonb_build_object(
      'action', 'delete', 'table', format('%s.%s', tg_table_schema, tg_table_name), 'rows', v_rows
    ));
  end if;
  return null;
end
$$;

comment on function platform.record_deletion() is
$$Trigger of tables of which the admin may delete rows that no other event tells of: records how many it deleted in one statement. Our own
functions run as the owner.$$;

create or replace trigger record_deletion after delete on platform.rate_limit
  referencing old table as gone for each statement when (current_user = 'latchkey_admin') execute function platform.record_deletion();
create or replace trigger record_deletion after delete on platform.otp_transaction
  referencing old table as gone for each statement when (current_user = 'latchkey_admin') execute function platform.record_deletion();
create or replace trigger record_deletion after delete on "user".invitation
  referencing old table as gone for each statement when (current_user = 'latchkey_admin') execute function platform.record_deletion();
-- Those that have ended; record_session_deleted tells of each live one.
create or replace trigger record_deletion after delete on "user".session
  referencing old table as gone for each statement when (current_user = 'latchkey_admin') execute function platform.record_deletion();
