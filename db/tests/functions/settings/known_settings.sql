begin;
select plan(4);
select test.clean_slate();
select test.set_setting('OTP_LENGTH', '8');
select is(s.value::text || ' ' || s.default_value || ' ' || s.minimum || ' ' || s.maximum, '8 6 4 10', 'a setting has its value, default and bounds')
from settings.known_settings() s where s.key = 'OTP_LENGTH';
select is(s.value, '300', 'without a row the default is in force') from settings.known_settings() s where s.key = 'OTP_TTL_SECONDS';
select set_eq('select key from settings.known_settings()', 'select key from private.setting_definition', 'every setting is listed');
select isnt(test.call_as('latchkey_admin', '(select count(*)::integer from settings.known_settings()) n', null::integer), 0, 'the admin may list them');

select * from finish();
rollback;
