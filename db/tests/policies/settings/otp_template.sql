begin;
select plan(6);
select test.clean_slate();
select throws_ok('select template from settings.otp_template', '42501', null, role || ' cannot read the texts')
from unnest(array['latchkey_guest', 'latchkey_user', 'latchkey_server', 'latchkey_worker']) role, test.become(role);
reset role;
select test.become('latchkey_admin');
select results_eq('select purpose, locale, template, encoding, segments from settings.otp_template',
  $$values (null::text, null::text, '{{code}}', 'GSM-7', 1)$$, 'the admin sees every text');
select throws_ok($$update settings.otp_template set template = 'x'$$, '55000', null, 'the admin cannot change a text there');

reset role;
select * from finish();
rollback;
