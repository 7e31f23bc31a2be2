begin;
select plan(3);
select test.clean_slate();
select is(private.passkey_sign_in_error('example.com'), null, 'a passkey signs in');
select is((private.passkey_sign_in_error(null)).details ->> 'reason', 'not_enabled', 'but not without a domain');
select test.set_setting('PASSKEY_SIGN_IN', '"off"');
select is((private.passkey_sign_in_error('example.com')).details ->> 'reason', 'not_enabled', 'nor while PASSKEY_SIGN_IN is off');
select * from finish();
rollback;
