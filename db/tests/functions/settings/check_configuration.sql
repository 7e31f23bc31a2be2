begin;
select plan(10);
select test.clean_slate();

select throws_ok($$insert into settings.configuration values ('OTP_LENGTH', '3')$$, '23514',
  'OTP_LENGTH: must be a whole number from 4 to 10, not 3', 'an invalid value is refused with a message that names the key');
select throws_ok($$insert into settings.configuration values ('OTP_LENGHT', '6')$$, '23514',
  'OTP_LENGHT: there is no such setting', 'an unknown key is refused with a message that names it');
select throws_ok($$update settings.configuration set value = '{"providerToUse": "pigeon"}' where key = 'OTP_PROVIDER'$$, '23514',
  'OTP_PROVIDER: providerToUse must be one of console, http, twilio, aws-sns, vonage', 'an update is checked like an insert');
select throws_ok($$update settings.configuration set value = '"off"' where key = 'PASSWORD_HASH_COST'$$, '23514', null,
  'a setting that is not a limit cannot be "off"');
select throws_ok($$update settings.configuration set key = 'GUEST_PER_IP' where key = 'PASSWORD_HASH_COST'$$, '23514', null,
  'a key cannot be changed to one that the value does not fit');
select throws_ok($$insert into settings.configuration values ('OTP_LENGTH', null)$$, '23514', null, 'a setting cannot be null');

select is(private.setting('OTP_LENGTH'), '6', 'a refused statement changes no setting');
update settings.configuration set updated_at = now() - interval '1 day';
select is((select updated_at > now() from settings.configuration where key = 'OTP_PROVIDER'), true,
  'an update sets updated_at to the current time');

set local role latchkey_admin;
select lives_ok($$insert into settings.configuration (key, value) values ('OTP_LENGTH', '8')$$,
  'the admin can insert a setting without EXECUTE on the check function');
select throws_ok($$update settings.configuration set value = '0' where key = 'OTP_LENGTH'$$, '23514', null,
  'the admin''s values are checked too');

reset role;
select * from finish();
rollback;
