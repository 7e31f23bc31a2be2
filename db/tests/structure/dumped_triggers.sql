begin;
select plan(1);
select test.clean_slate();

-- What pg_dump writes of a trigger is pg_get_triggerdef.
create function pg_temp.definition_after_restore(trigger pg_trigger) returns text language plpgsql as $$
declare
  v_definition constant text := pg_get_triggerdef(trigger.oid);
begin
  execute format('drop trigger %I on %s', trigger.tgname, trigger.tgrelid::regclass);
  execute v_definition;
  return (select pg_get_triggerdef(t.oid) from pg_trigger t where t.tgrelid = trigger.tgrelid and t.tgname = trigger.tgname);
end
$$;

select is_empty(
  $$select t.tgname, t.tgrelid::regclass from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where not t.tgisinternal and t.tgparentid = 0 and t.tgqual is not null
    and c.relnamespace::regnamespace::text in ('"user"', 'platform', 'private', 'settings', 'api')
    and pg_get_triggerdef(t.oid) is distinct from pg_temp.definition_after_restore(t)$$,
  'no condition of a trigger changes by pg_dump and pg_restore: the migration after a restore would call it repaired');

select * from finish();
rollback;
