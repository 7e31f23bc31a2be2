begin;
select plan(17);
select test.clean_slate();

select policies_are('settings', 'configuration', array['the admin manages the configuration'],
  'settings.configuration has exactly the listed policy');
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;
grant select on actor to public;

select test.become('latchkey_user', alice) from actor;
select throws_ok('select key from settings.configuration', '42501', null, 'a user cannot read settings');
select throws_ok('update settings.configuration set value = ''10''', '42501', null, 'a user cannot change settings');
reset role;
select test.become('latchkey_guest');
select throws_ok('select key from settings.configuration', '42501', null, 'a guest cannot read settings');
select throws_ok('update settings.configuration set value = ''10''', '42501', null, 'a guest cannot change settings');
reset role;
select throws_ok('set local role ' || role || '; select key from settings.configuration', '42501', null, description)
from (values ('latchkey_server', 'latchkey_server cannot read settings directly'),
  ('latchkey_worker', 'latchkey_worker cannot read settings directly'),
  ('latchkey_graphql', 'latchkey_graphql cannot read settings before SET ROLE')) r (role, description);

select test.become('latchkey_admin');
select results_eq('select key from settings.configuration order by key',
  array['OTP_PROVIDER', 'PASSWORD_HASH_COST'],
  'the admin sees every setting');
select lives_ok($$insert into settings.configuration (key, value) values ('OTP_LENGTH', '8')$$, 'the admin can insert a setting');
select lives_ok($$update settings.configuration set value = '7' where key = 'OTP_LENGTH'$$,
  'the admin can change a setting''s value');
select throws_ok($$update settings.configuration set updated_at = now()$$, '42501', null, 'the admin cannot set updated_at');
select throws_ok($$update settings.configuration set key = 'OTP_TTL_SECONDS'$$, '42501', null,
  'the admin cannot change a setting''s key');
select lives_ok($$delete from settings.configuration where key = 'OTP_LENGTH'$$, 'the admin can delete a setting');
select throws_ok('select key from private.setting_definition', '42501', null,
  'the admin cannot read the definitions of settings');
reset role;
select is(private.setting('OTP_LENGTH'), '6', 'a deleted setting has its default value again');
select results_eq('select key from settings.configuration order by key', array['OTP_LENGTH', 'OTP_PROVIDER', 'PASSWORD_HASH_COST'],
  'the admin''s delete concerned only the setting that it named');

select * from finish();
rollback;
