begin;
select plan(2);
select test.clean_slate();
select is(private.recovery_error(), private.error('MISSING_FIELDS', '{"fields": ["password"]}'), 'by default the password is a required field');
select test.set_setting('EMAIL_DELIVERY', '"on"'), test.set_setting('EMAIL_SIGN_IN', '"on"'), test.set_setting('PHONE_RECOVERY_BY_EMAIL', '"on"');
select is(private.recovery_error(), null, 'not while PHONE_RECOVERY_BY_EMAIL is on');
select * from finish();
rollback;
