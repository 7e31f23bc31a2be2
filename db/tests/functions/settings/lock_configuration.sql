begin;
select plan(3);
select test.clean_slate();
select is((select tgtype from pg_trigger where tgname = 'lock_configuration')::integer, 2 | 4 | 8 | 16,
  'the trigger runs before each statement that inserts, deletes or updates');
set local role latchkey_admin;
select lives_ok($$insert into settings.configuration (key, value) values ('OTP_LENGTH', '8')$$,
  'the admin can change a setting without a right to what is locked');

reset role;
-- Rows of settings that are set are locked by the foreign key too.
select is_empty($$select d.key from private.setting_definition d
  where d.xmax = pg_current_xact_id()::xid and d.key not in (select c.key from settings.configuration c)$$,
  'no row of another setting is locked');
select * from finish();
rollback;
