begin;
select plan(22);
create function pg_temp.lines() returns setof text language sql as 'select f.line from private.catalog_in_force() f';
select ok(line in (select pg_temp.lines()), line || ' is listed') from (values
  ('schema api: latchkey_server may usage'),
  ('"user".account (email): latchkey_admin may update'),
  ('startup.missing_rights() is owned by latchkey_owner'),
  ('private.run_hook(name text, types text[], result text, arguments text[]) is owned by latchkey_hook'),
  ('function startup.missing_rights()'),
  ('graphile_worker._private_jobs: policy "the worker runs the queue" for latchkey_worker'),
  ('"user".session has row-level security'),
  ('"user".account: column phone text'),
  ('"user".account: column created_at is not null'),
  ('"user".account: column created_at has a default'),
  ('"user".session: constraint session_pkey'),
  ('index "user".session_user_id on "user".session'),
  ('"user".session: trigger complete_session'),
  ('"user".session: its triggers are enabled'),
  ('"user".session: its foreign keys are enforced'),
  ('view platform.delivery_by_hour'),
  ('new functions are not for public'),
  ('extension pgcrypto')
) v (line);
select is_empty('select l from pg_temp.lines() l group by l having count(*) > 1', 'every line is listed once');
select ok('private.account is owned by latchkey_owner' not in (select pg_temp.lines()), 'an object is listed only under its own schema');
create role latchkey_role_of_a_dba;
grant select on "user".account to latchkey_role_of_a_dba;
grant select on "user".account to public;
select is_empty($$select l from pg_temp.lines() l where l ~ 'of_a_dba|^(function |graphile_worker\..*\()graphile_worker'$$,
  'rights of a DBA''s roles and functions of the queue are not listed');
select results_eq($$select f.undo from private.catalog_in_force() f where f.line = '"user".account: public may select'$$,
  $$values ('revoke select on table "user".account from public')$$, 'a right of PUBLIC is listed, with what takes it away');

select * from finish();
rollback;
