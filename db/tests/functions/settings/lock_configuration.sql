begin;
select plan(2);
select test.clean_slate();
select is((select tgtype from pg_trigger where tgname = 'lock_configuration')::integer, 2 | 4 | 8 | 16,
  'the trigger runs before each statement that inserts, deletes or updates');
set local role latchkey_admin;
select lives_ok($$insert into settings.configuration (key, value) values ('OTP_LENGTH', '8')$$,
  'the admin can change a setting without a right to what is locked');

reset role;
select * from finish();
rollback;
