begin;
select plan(26);
select test.clean_slate();
update private.installation set production = false;
create function pg_temp.numbers(code text) returns jsonb language sql
as $$ select jsonb_build_object('+12025550101', jsonb_build_object('code', code, 'until', '9999-12-31T00:00:00Z')) $$;
create function pg_temp.provider(template text) returns jsonb language sql
as $$ select jsonb_build_object('providerToUse', 'vonage', 'template', template, 'vonage', '{"from": "Shop"}'::jsonb) $$;

-- Codes of test numbers have OTP_LENGTH digits
select throws_ok($$select test.set_setting('OTP_TEST_NUMBERS', pg_temp.numbers('4242'))$$, '23514',
  'OTP_TEST_NUMBERS: the code of +12025550101 in OTP_TEST_NUMBERS must have 6 digits (OTP_LENGTH)', 'a code of another length is refused');
select lives_ok($$select test.set_setting('OTP_TEST_NUMBERS', pg_temp.numbers('424242'))$$, 'a code of OTP_LENGTH digits is stored');
select throws_ok($$select test.set_setting('OTP_LENGTH', '4')$$, '23514',
  'OTP_LENGTH: the code of +12025550101 in OTP_TEST_NUMBERS must have 4 digits (OTP_LENGTH)', 'an OTP_LENGTH that no longer fits is refused');
select lives_ok($$insert into settings.configuration (key, value) values ('OTP_LENGTH', '4'), ('OTP_TEST_NUMBERS', pg_temp.numbers('4242'))
    on conflict (key) do update set value = excluded.value$$, 'one statement may change both');
select throws_ok($$delete from settings.configuration where key = 'OTP_LENGTH'$$, '23514', null, 'a default that does not fit is refused');
select lives_ok($$delete from settings.configuration where key in ('OTP_LENGTH', 'OTP_TEST_NUMBERS')$$, 'both defaults fit');

-- Production
update private.installation set production = true;
select throws_ok($$select test.set_setting('OTP_TEST_NUMBERS', pg_temp.numbers('424242'))$$, '23514',
  'OTP_TEST_NUMBERS: must be empty in production, unless OTP_TEST_NUMBERS_IN_PRODUCTION is on', 'in production test numbers are refused');
select lives_ok($$select test.set_setting('OTP_TEST_NUMBERS', '{}')$$, 'none are not');
select lives_ok($$insert into settings.configuration (key, value) values ('OTP_TEST_NUMBERS', pg_temp.numbers('424242')), ('OTP_TEST_NUMBERS_IN_PRODUCTION', '"on"')
    on conflict (key) do update set value = excluded.value$$, 'one statement may turn them on and name them');
select lives_ok($$select test.set_setting('OTP_TEST_NUMBERS_IN_PRODUCTION', '"off"')$$, 'they can be turned off while there are any');
select throws_ok($$update settings.configuration set value = pg_temp.numbers('424243') where key = 'OTP_TEST_NUMBERS'$$, '23514', null, 'and not changed then');

-- The provider
select throws_ok($$update settings.configuration set value = value where key = 'OTP_PROVIDER'$$, '23514',
  'OTP_PROVIDER: console is refused in production, because it writes codes to the worker''s standard output', 'in production the provider is checked');
select test.set_setting('OTP_PROVIDER', pg_temp.provider('{{code}}'));
select throws_ok($$delete from settings.configuration where key = 'OTP_PROVIDER'$$, '23514',
  'OTP_PROVIDER: must not be deleted, because nothing could be sent: update it', 'the provider cannot be deleted');
select throws_ok($$delete from settings.configuration$$, '23514', null, 'nor with all other settings');
select throws_ok($$update settings.configuration set key = 'OTP_TTL_SECONDS', value = '60' where key = 'OTP_PROVIDER'$$, '23514', null, 'nor become another setting');
select is(private.setting('OTP_PROVIDER') ->> 'providerToUse', 'vonage', 'it stays in force');

-- Room for the hash of an app
select lives_ok($$select test.set_setting('OTP_PROVIDER', pg_temp.provider(repeat('a', 122) || '{{code}}'))$$, 'without an app a text may have any length');
select throws_ok($$select test.set_setting('OTP_APP_HASHES', '["FA+9qCX9VSu"]')$$, '23514',
  'OTP_APP_HASHES: template of OTP_PROVIDER takes up to 141 bytes with the hash of an app, and OTP_APP_HASHES allows 140',
  'an app is refused while a text leaves it no room');
select lives_ok($$insert into settings.configuration (key, value)
    values ('OTP_APP_HASHES', '["FA+9qCX9VSu"]'), ('OTP_PROVIDER', pg_temp.provider(repeat('a', 119) || '{{code}}{{minutes}}'))
    on conflict (key) do update set value = excluded.value$$, 'one statement may change both');
select throws_ok($$select test.set_setting('OTP_PROVIDER', pg_temp.provider(repeat('a', 122) || '{{code}}'))$$, '23514',
  'OTP_PROVIDER: template of OTP_PROVIDER takes up to 141 bytes with the hash of an app, and OTP_APP_HASHES allows 140', 'a longer text is refused');
select throws_ok($$select test.set_setting('OTP_TTL_SECONDS', '6000')$$, '23514', null, 'so is a lifetime whose minutes do not fit');
delete from settings.configuration where key = 'OTP_TEST_NUMBERS';
select throws_ok($$select test.set_setting('OTP_LENGTH', '7')$$, '23514', null, 'and a code that does not');
select is(private.setting('OTP_TTL_SECONDS') || private.setting('OTP_LENGTH'), '[300, 6]', 'what is refused is not stored');
set local role latchkey_admin;
select throws_ok($$update settings.configuration set value = '["FA+9qCX9VSu", "x"]' where key = 'OTP_APP_HASHES'$$, '23514', null, 'the admin''s values are checked too');
reset role;

-- No statement can catch a warning, but an error in its place
create or replace function private.warn_of_segments() returns void language plpgsql as $$ begin raise 'warned'; end $$;
select throws_ok($$select test.set_setting('OTP_PROVIDER', pg_temp.provider('{{code}}'))$$, 'P0001', 'warned', 'a text of several SMS is warned of when it is stored');
select lives_ok($$select test.set_setting('OTP_TTL_SECONDS', '120')$$, 'and not at other changes');

select * from finish();
rollback;
