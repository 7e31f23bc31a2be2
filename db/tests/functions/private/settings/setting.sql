begin;
select plan(11);
select test.clean_slate();
select is(private.setting('OTP_LENGTH'), '6', 'a setting without a row has its default value');
insert into settings.configuration (key, value) values ('OTP_LENGTH', '8');
select is(private.setting('OTP_LENGTH'), '8', 'an inserted value is in force');
update settings.configuration set value = '9' where key = 'OTP_LENGTH';
select is(private.setting('OTP_LENGTH'), '9', 'an updated value is in force');
update settings.configuration set key = 'OTP_MAX_ATTEMPTS' where key = 'OTP_LENGTH';
select is(concat_ws(' ', private.setting('OTP_LENGTH'), private.setting('OTP_MAX_ATTEMPTS')), '6 9',
  'a row whose key is changed sets the other setting');
delete from settings.configuration where key = 'OTP_MAX_ATTEMPTS';
select is(private.setting('OTP_MAX_ATTEMPTS'), '5', 'a deleted setting has its default value again');
truncate settings.configuration;
select is_empty($$select d.key from private.setting_definition d where private.setting(d.key) is distinct from d.default_value$$,
  'after a truncate every setting has its default value');
select is(private.setting('OTP_PROVIDER'), null, 'a setting without row and default is null');
select is(private.setting('OTP_LENGHT'), null, 'an unknown setting is null');

set local role latchkey_admin;
select lives_ok($$insert into settings.configuration (key, value) values ('OTP_LENGTH', '8')$$,
  'the admin can insert a setting without a right to the definitions');
reset role;
select is(private.setting('OTP_LENGTH'), '8', 'the value that the admin inserted is in force');
select is((select count(*)::integer from settings.configuration), 1, 'each setting has one row');

select * from finish();
rollback;
