begin;
select plan(7);
select test.clean_slate();
create function pg_temp.events_of(change text) returns text[] language plpgsql as $$
begin
  perform test.forget_events();
  execute events_of.change;
  return test.events();
end
$$;

select is(pg_temp.events_of($$insert into settings.configuration values ('OTP_LENGTH', '8')$$), array['setting.changed {"key": "OTP_LENGTH", "new": 8}'], 'a setting that is written is an event');
select is(pg_temp.events_of($$update settings.configuration set value = '7' where key = 'OTP_LENGTH'$$), array['setting.changed {"key": "OTP_LENGTH", "new": 7, "old": 8}'], 'with both values');
select is(pg_temp.events_of($$update settings.configuration set value = '7' where key = 'OTP_LENGTH'$$), '{}', 'the same value is no change');
select is(pg_temp.events_of($$delete from settings.configuration where key = 'OTP_LENGTH'$$), array['setting.changed {"key": "OTP_LENGTH", "old": 7}'], 'a deletion is one event, the default that follows none');
select is(pg_temp.events_of($$select test.set_setting('OTP_TEST_NUMBERS', '{"+12025550101": {"code": "123456", "until": "2031-01-01T00:00:00Z"}}')$$), array['setting.changed {"key": "OTP_TEST_NUMBERS"}'], 'numbers and their codes are left out');
select is(pg_temp.events_of($$select test.set_setting('REGISTRATION', '"closed"')$$), array['setting.changed {"key": "REGISTRATION", "new": "closed"}'], 'words are not');
select test.forget_events(), test.become('latchkey_admin');
update settings.configuration set value = '"open"' where key = 'REGISTRATION';
reset role;
select is((select e.actor from platform.event e), 'admin', 'it says who did it');

select * from finish();
rollback;
