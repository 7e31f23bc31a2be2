begin;
select plan(8);
select test.clean_slate();
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}"}');
select test.set_setting('OTP_LENGTH', '8');
select test.set_setting('OTP_MAX_ATTEMPTS', '3');
select test.set_setting('OTP_TTL_SECONDS', '60');
create function pg_temp.stored(key text) returns jsonb language sql as $$ select c.value from settings.configuration c where c.key = stored.key $$;

delete from settings.configuration where key = 'OTP_LENGTH';
select is(pg_temp.stored('OTP_LENGTH'), '6', 'a deleted row is replaced by one with the default');
update settings.configuration set value = '9' where key = 'OTP_LENGTH';
select is(private.setting('OTP_LENGTH'), '9', 'so an update finds it');
delete from settings.configuration where key in ('OTP_LENGTH', 'OTP_MAX_ATTEMPTS');
select is(pg_temp.stored('OTP_LENGTH') || pg_temp.stored('OTP_MAX_ATTEMPTS'), '[6, 5]', 'several rows at once');

select test.become('latchkey_admin');
delete from settings.configuration where key = 'OTP_TTL_SECONDS';
reset role;
select is(pg_temp.stored('OTP_TTL_SECONDS'), '300', 'the admin''s deletion, too');
select is(current_setting('latchkey.setting_changes')::jsonb, '[{"key": "OTP_TTL_SECONDS", "old": 60, "new": null}]',
  'which is one change in the log');

-- Without the trigger that keeps it
alter table settings.configuration disable trigger check_together;
select lives_ok($$delete from settings.configuration where key = 'OTP_PROVIDER'$$, 'a setting without a default');
select is(pg_temp.stored('OTP_PROVIDER'), null, 'has no row afterwards');
alter table settings.configuration enable trigger check_together;

select is_empty($$select from pg_trigger t where t.tgrelid = 'settings.configuration'::regclass and t.tgname = 'restore_default'
  and t.tgenabled <> 'O'$$, 'the trigger is enabled');
select * from finish();
rollback;
