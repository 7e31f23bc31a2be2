begin;
select plan(6);
select test.clean_slate();
select throws_ok('select key from settings.setting', '42501', null, role || ' cannot read the settings')
from unnest(array['latchkey_guest', 'latchkey_user', 'latchkey_server', 'latchkey_worker']) role, test.become(role);
reset role;
select test.become('latchkey_admin');
select is((select value from settings.setting where key = 'PASSWORD_HASH_COST'), '4', 'the admin sees every setting');
select throws_ok($$update settings.setting set value = '5'$$, '55000', null, 'the admin changes them in settings.configuration');

reset role;
select * from finish();
rollback;
