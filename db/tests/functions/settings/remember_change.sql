begin;
select plan(6);
select test.clean_slate();
create function pg_temp.changes() returns jsonb language sql
as $$ select nullif(current_setting('latchkey.setting_changes', true), '')::jsonb $$;

select test.set_setting('OTP_LENGTH', '7');
select is(pg_temp.changes(), null, 'what the migrator changes is not remembered');

-- As an earlier transaction of the connection leaves it.
select set_config('latchkey.setting_changes', '', true);
select test.become('latchkey_admin');
update settings.configuration set value = '8' where key = 'OTP_LENGTH';
select is(pg_temp.changes(), '[{"key": "OTP_LENGTH", "old": 7, "new": 8}]', 'an update has the old and the new value');
delete from settings.configuration where key = 'OTP_LENGTH';
update settings.configuration set value = '9' where key = 'OTP_LENGTH';
select is(pg_temp.changes() - 0, '[{"key": "OTP_LENGTH", "old": 8, "new": null}, {"key": "OTP_LENGTH", "old": 6, "new": 9}]',
  'a deleted row is null, and several changes stay in order');
insert into settings.configuration (key, value) values ('OTP_LENGTH', '10') on conflict (key) do update set value = excluded.value;
select is(pg_temp.changes() -> 3, '{"key": "OTP_LENGTH", "old": 9, "new": 10}', 'an upsert is an update');
update settings.configuration set value = '5' where key = 'NO_SUCH_KEY';
select is(jsonb_array_length(pg_temp.changes()), 4, 'a statement without rows changes nothing');
reset role;
select is_empty($$select from pg_trigger t where t.tgrelid = 'settings.configuration'::regclass and t.tgname = 'remember_change'
  and t.tgenabled <> 'O'$$, 'the trigger is enabled');
select * from finish();
rollback;
