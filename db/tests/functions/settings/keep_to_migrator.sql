begin;
select plan(16);
select test.clean_slate();
update private.installation set production = true;
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "vonage", "template": "{{code}}", "vonage": {"from": "Shop"}}');
select test.set_setting('OTP_LENGTH', '8');
insert into settings.configuration (key, value) values ('OTP_TEST_NUMBERS', '{}'), ('OTP_TEST_NUMBERS_IN_PRODUCTION', '"off"');
create function pg_temp.refused(statement text, description text) returns setof text language sql
as $$ select throws_ok(statement, '23514', null, description) $$;

set local role latchkey_admin;
select throws_ok($$update settings.configuration set value = '"on"' where key = 'OTP_TEST_NUMBERS_IN_PRODUCTION'$$, '23514',
  'OTP_TEST_NUMBERS_IN_PRODUCTION: in production only the migrator changes it, because a fixed code signs in: '
  'set it in the environment of npm run db:migrate, or by SQL as the migrator', 'in production the admin does not turn test numbers on');
select pg_temp.refused($$delete from settings.configuration where key = 'OTP_TEST_NUMBERS_IN_PRODUCTION'$$, 'nor to the default');
select pg_temp.refused($$update settings.configuration set value = '{}' where key = 'OTP_TEST_NUMBERS'$$, 'nor changes them');
select pg_temp.refused($$delete from settings.configuration where key = 'OTP_TEST_NUMBERS'$$, 'nor deletes them');
select pg_temp.refused($$insert into settings.configuration (key, value) values ('OTP_TEST_NUMBERS', '{}')
  on conflict (key) do update set value = excluded.value$$, 'nor by an upsert');
select pg_temp.refused($$insert into settings.configuration (key, value) values ('OTP_MAX_ATTEMPTS', '100')$$, 'nor allows more guesses');
select pg_temp.refused($$update settings.configuration set value = '4' where key = 'OTP_LENGTH'$$, 'nor shortens codes');
select pg_temp.refused($$insert into settings.configuration (key, value) values ('EVENT_RETENTION_DAYS', '1')$$, 'nor drops events');
select lives_ok($$insert into settings.configuration (key, value) values ('EVENT_RETENTION_DAYS', '1000')$$, 'but keeps them for longer');
select pg_temp.refused($$delete from settings.configuration where key = 'EVENT_RETENTION_DAYS'$$, 'and then not for the default''s time');
select lives_ok($$update settings.configuration set value = '6' where key = 'OTP_LENGTH'$$, 'other values are the admin''s');
select lives_ok($$delete from settings.configuration where key = 'OTP_LENGTH'$$, 'and the defaults');
select lives_ok($$insert into settings.configuration (key, value) values ('OTP_SEND_PER_IP', '"100/60"')$$, 'and other settings');
reset role;

set local role latchkey_owner;
update settings.configuration set value = '"on"' where key = 'OTP_TEST_NUMBERS_IN_PRODUCTION';
reset role;
select is(private.setting('OTP_TEST_NUMBERS_IN_PRODUCTION'), '"on"', 'the migrator does');
update private.installation set production = false;
set local role latchkey_admin;
select lives_ok($$update settings.configuration set value = '"off"' where key = 'OTP_TEST_NUMBERS_IN_PRODUCTION'$$, 'elsewhere the admin does');
reset role;

select is_empty($$select f.signature from test.our_function f where f.prosecdef and f.prosrc ~* '(insert into|update|delete from|truncate)\s+settings\.'$$,
  'no function writes settings as their owner, on behalf of its caller');

select * from finish();
rollback;
