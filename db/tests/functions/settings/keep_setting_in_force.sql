begin;
select plan(9);
do $$ begin perform test.clean_slate(); end $$;
-- What should be in force, worked out anew.
create function pg_temp.wrong() returns setof text language sql as $$
  select d.key from private.setting_definition d
  left join settings.configuration c on c.key = d.key
  full join private.setting_in_force f on f.key = d.key
  where f.key is null or d.key is null or f.value is distinct from coalesce(c.value, d.default_value)
$$;

select is_empty('select pg_temp.wrong()', 'every setting is in force, and nothing else');
delete from settings.configuration where key = 'OTP_LENGTH';
select is(private.setting('OTP_LENGTH'), '6', 'a setting without a row is its default');
insert into settings.configuration (key, value) values ('OTP_LENGTH', '8');
select is(private.setting('OTP_LENGTH'), '8', 'a value that is stored is in force');
update settings.configuration set value = '9' where key = 'OTP_LENGTH';
select is(private.setting('OTP_LENGTH'), '9', 'so is one that is changed');
delete from settings.configuration where key = 'OTP_MAX_ATTEMPTS';
update settings.configuration set key = 'OTP_MAX_ATTEMPTS' where key = 'OTP_LENGTH';
select is(concat_ws(' ', private.setting('OTP_LENGTH'), private.setting('OTP_MAX_ATTEMPTS')), '6 9', 'a row that is moved takes its value along');
select is_empty('select pg_temp.wrong()', 'after all this too');
truncate settings.configuration;
select is_empty('select pg_temp.wrong()', 'an emptied table leaves the defaults');

set local role latchkey_admin;
select lives_ok($$insert into settings.configuration (key, value) values ('OTP_LENGTH', '8')$$, 'who may write the table needs no right to the function');
reset role;
select is(private.setting('OTP_LENGTH'), '8', 'nor to what it writes');

select * from finish();
rollback;
