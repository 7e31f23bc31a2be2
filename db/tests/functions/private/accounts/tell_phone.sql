begin;
select plan(3);
select test.clean_slate();
select test.make_account('+12025550101');
select private.tell_phone(a, 'FACTORS_CHANGED', '{}', '192.0.2.1') from "user".account a;
select is((select m.body from test.otp('+12025550101', 'FACTORS_CHANGED') o, test.issue_code(o.id) m),
  'A second factor of your account was added, removed or copied. If that was not you, contact our support.', 'the phone gets our text, without a code');
update "user".account set phone = null;
select lives_ok($$select private.tell_phone(a, 'FACTORS_CHANGED', '{}', '192.0.2.1') from "user".account a$$, 'an account without a phone is told nothing');
select is((select count(*)::integer from platform.otp_transaction), 1, 'and nothing is queued');

select * from finish();
rollback;
