begin;
select plan(20);
create function pg_temp.lost() returns setof text language sql as 'select c.line from private.catalog_changes() c where c.is_lost';
select is_empty('select * from private.catalog_changes()', 'nothing differs after a migration');

create function pg_temp.lost_by(change text) returns text language plpgsql as $$
declare
  v_lost text;
begin
  execute change;
  select string_agg(l, ' + ') into v_lost from pg_temp.lost() l;
  raise exception using errcode = 'ZZ000', message = coalesce(v_lost, 'nothing');
exception when sqlstate 'ZZ000' then
  return sqlerrm;
end
$$;
select is(pg_temp.lost_by(change), line, change) from (values
  ('revoke select (phone) on "user".account from latchkey_user', '"user".account (phone): latchkey_user may select'),
  ('revoke usage on schema api from latchkey_server', 'schema api: latchkey_server may usage'),
  ('alter table platform.rate_limit disable row level security', 'platform.rate_limit has row-level security'),
  ('alter policy "a user sees its own account" on "user".account using (true)',
    '"user".account: policy "a user sees its own account" for latchkey_user'),
  ('drop index "user".session_user_id', 'index "user".session_user_id on "user".session'),
  ('drop index "user".session_user_id; create index session_user_id on "user".session (id)',
    'index "user".session_user_id on "user".session'),
  ('update pg_index set indisvalid = false where indexrelid = ''"user".session_user_id''::regclass',
    'index "user".session_user_id on "user".session'),
  ('drop trigger complete_session on "user".session', '"user".session: trigger complete_session'),
  ('alter table "user".session disable trigger complete_session', '"user".session: its triggers are enabled'),
  ('alter table "user".session disable trigger all',
    '"user".session: its foreign keys are enforced + "user".session: its triggers are enabled'),
  ('alter table private.installation drop constraint installation_is_one', 'private.installation: constraint installation_is_one'),
  ('alter table "user".account alter column created_at drop default', '"user".account: column created_at has a default'),
  ('alter table "user".account alter column created_at drop not null', '"user".account: column created_at is not null'),
  ('alter view platform.delivery_by_hour reset (security_invoker)', 'view platform.delivery_by_hour'),
  ('alter function startup.installed_migration() security invoker', 'function startup.installed_migration()'),
  ('alter function startup.installed_migration() reset search_path', 'function startup.installed_migration()'),
  ('alter default privileges for role latchkey_owner grant execute on functions to public', 'new functions are not for public')
) v (change, line);

update private.catalog_line set fingerprint = 'printed by another version of PostgreSQL', server_version = 1
where line = 'index "user".session_user_id on "user".session';
select is_empty('select * from private.catalog_changes()', 'definitions are compared only with those that the same version printed');
grant select on "user".account to public;
create table private.table_of_a_dba ();
select bag_eq($$select c.line, c.statement from private.catalog_changes() c where not c.is_lost and c.line !~ 'owned'$$,
  $$values ('"user".account: public may select', 'revoke select on table "user".account from public')$$,
  'what was added is listed, with what takes rights of ours away');

select * from finish();
rollback;
