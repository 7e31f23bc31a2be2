begin;
select plan(18);
select test.clean_slate();
update private.installation set production = true;
create function pg_temp.fault(key text, value jsonb, before jsonb default null) returns text language sql
as $$ select private.migrator_setting_fault(key, value, before) $$;
select is(pg_temp.fault('OTP_TEST_NUMBERS', '{}'), 'in production only the migrator changes it, because a fixed code signs in: '
  'set it in the environment of npm run db:migrate, or by SQL as the migrator', 'test numbers are the migrator''s');
select isnt(pg_temp.fault('OTP_TEST_NUMBERS', null), null, 'so is deleting them');
select isnt(pg_temp.fault('OTP_TEST_NUMBERS_IN_PRODUCTION', '"on"'), null, 'and turning them on');
select isnt(pg_temp.fault('OTP_TEST_NUMBERS_IN_PRODUCTION', '"off"'), null, 'or off');
select is(pg_temp.fault('OTP_LENGTH', '5'), 'in production only the migrator sets less than 6: '
  'set it in the environment of npm run db:migrate, or by SQL as the migrator', 'so are short codes');
select is(pg_temp.fault('OTP_LENGTH', '6'), null, 'and not those of the usual length');
select is(pg_temp.fault('OTP_LENGTH', null), null, 'nor the default');
select is(pg_temp.fault('OTP_MAX_ATTEMPTS', '6'), 'in production only the migrator sets more than 5: '
  'set it in the environment of npm run db:migrate, or by SQL as the migrator', 'so are many guesses');
select is(pg_temp.fault('OTP_MAX_ATTEMPTS', '5'), null, 'and not as many as usual');
select matches(pg_temp.fault('PHONE_RECYCLED_AFTER_DAYS', '1'), '^in production only the migrator turns it on', 'so are recycled phones');
select is(pg_temp.fault('PHONE_RECYCLED_AFTER_DAYS', '"off"'), null, 'and not turning them off');
select is(pg_temp.fault('EVENT_RETENTION_DAYS', '364', '365'), 'in production only the migrator lowers it, because the clean-up then drops events: '
  'set it in the environment of npm run db:migrate, or by SQL as the migrator', 'so is keeping events for less time');
select isnt(pg_temp.fault('EVENT_RETENTION_DAYS', '364'), null, 'less than the default too');
select isnt(pg_temp.fault('EVENT_RETENTION_DAYS', null, '366'), null, 'or going back to it');
select is(pg_temp.fault('EVENT_RETENTION_DAYS', '366', '365'), null, 'and not keeping them for longer');
select is(pg_temp.fault('OTP_PROVIDER', '{}'), null, 'other settings are the admin''s');
update private.installation set production = false;
select is(pg_temp.fault('OTP_TEST_NUMBERS', '{}'), null, 'elsewhere all of them are');
delete from private.installation;
select isnt(pg_temp.fault('OTP_TEST_NUMBERS', '{}'), null, 'where production is not known, the stricter rule holds');

select * from finish();
rollback;
