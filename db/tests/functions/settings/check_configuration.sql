begin;
select plan(10);
select test.clean_slate();

select throws_ok($$insert into settings.configuration values ('OTP_LENGTH', '3')$$, '23514',
  'OTP_LENGTH: must be a whole number from 4 to 10, not 3', 'a bad value is refused with a sentence that names its key');
select throws_ok($$insert into settings.configuration values ('OTP_LENGHT', '6')$$, '23514',
  'OTP_LENGHT: there is no such setting', 'so is an unknown key');
select throws_ok($$update settings.configuration set value = '{"providerToUse": "pigeon"}' where key = 'OTP_PROVIDER'$$, '23514',
  'OTP_PROVIDER: providerToUse must be one of console, http', 'an update is looked at like an insert');
select throws_ok($$update settings.configuration set value = '"off"' where key = 'PASSWORD_HASH_COST'$$, '23514', null,
  'only a limit that may be turned off can be "off"');
select throws_ok($$update settings.configuration set key = 'GUEST_PER_IP' where key = 'PASSWORD_HASH_COST'$$, '23514', null,
  'a value cannot be moved to a key that it does not fit');
select throws_ok($$insert into settings.configuration values ('OTP_LENGTH', null)$$, '23514', null, 'a setting has a value or no row');

select is(private.setting('OTP_LENGTH'), '6', 'none of these changed anything');
update settings.configuration set updated_at = now() - interval '1 day';
select is((select updated_at > now() from settings.configuration where key = 'OTP_PROVIDER'), true,
  'updated_at is kept by the table, whatever the statement says');

set local role latchkey_admin;
select lives_ok($$insert into settings.configuration (key, value) values ('OTP_LENGTH', '8')$$, 'who may write the table needs no right to the function');
select throws_ok($$update settings.configuration set value = '0' where key = 'OTP_LENGTH'$$, '23514', null, 'and is refused alike');

reset role;
select * from finish();
rollback;
