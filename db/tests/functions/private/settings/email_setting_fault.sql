begin;
select plan(6);
select test.clean_slate();
select is(private.email_setting_fault(), null, 'the defaults are without a fault');
select throws_ok($$select test.set_setting('EMAIL_SIGN_IN', '"on"')$$, '23514', 'EMAIL_SIGN_IN: EMAIL_SIGN_IN needs EMAIL_DELIVERY: turn that on first, and off last', 'emails sign in only where they are sent');
select test.set_setting('EMAIL_DELIVERY', '"on"');
select throws_ok($$select test.set_setting('PHONE_RECOVERY_BY_EMAIL', '"on"')$$, '23514', 'PHONE_RECOVERY_BY_EMAIL: PHONE_RECOVERY_BY_EMAIL needs EMAIL_SIGN_IN: turn that on first, and off last',
  'nobody recovers by an email that does not sign in');
select lives_ok($$select test.set_setting('EMAIL_SIGN_IN', '"on"'), test.set_setting('PHONE_RECOVERY_BY_EMAIL', '"on"')$$, 'in that order they are turned on');
select throws_ok($$select test.set_setting('EMAIL_SIGN_IN', '"off"')$$, '23514', null, 'none is turned off that another one needs');
select throws_ok($$delete from settings.configuration where key = 'EMAIL_DELIVERY'$$, '23514', null, 'nor back to its default');
select * from finish();
rollback;
