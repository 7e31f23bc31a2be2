begin;
select plan(11);
select test.clean_slate();
select is(private.setting('OTP_LENGTH'), '6', 'a setting without a row is its default');
insert into settings.configuration (key, value) values ('OTP_LENGTH', '8');
select is(private.setting('OTP_LENGTH'), '8', 'a value that is stored is in force');
update settings.configuration set value = '9' where key = 'OTP_LENGTH';
select is(private.setting('OTP_LENGTH'), '9', 'so is one that is changed');
update settings.configuration set key = 'OTP_MAX_ATTEMPTS' where key = 'OTP_LENGTH';
select is(concat_ws(' ', private.setting('OTP_LENGTH'), private.setting('OTP_MAX_ATTEMPTS')), '6 9', 'a row that is moved takes its value along');
delete from settings.configuration where key = 'OTP_MAX_ATTEMPTS';
select is(private.setting('OTP_MAX_ATTEMPTS'), '5', 'a deleted row is the default again');
truncate settings.configuration;
select is_empty($$select d.key from private.setting_definition d where private.setting(d.key) is distinct from d.default_value$$,
  'an emptied table leaves every default');
select is(private.setting('OTP_PROVIDER'), null, 'a setting with neither a row nor a default is null');
select is(private.setting('OTP_LENGHT'), null, 'so is one that does not exist');

set local role latchkey_admin;
select lives_ok($$insert into settings.configuration (key, value) values ('OTP_LENGTH', '8')$$, 'whoever may write the table needs no right to the definitions');
reset role;
select is(private.setting('OTP_LENGTH'), '8', 'and what it wrote is in force');
select is((select count(*)::integer from settings.configuration), 1, 'in one row');

select * from finish();
rollback;
