begin;
select plan(2);
select test.clean_slate();
-- db/settings_faults.test.ts checks the warnings themselves: no statement can catch a warning.
select lives_ok('select private.warn_of_segments()', 'texts of one SMS are no reason to warn');
select test.set_setting('OTP_PROVIDER', jsonb_build_object('providerToUse', 'console', 'template', repeat('a', 160) || '{{code}}'));
select lives_ok('select private.warn_of_segments()', 'a warning does not refuse a text');

select * from finish();
rollback;
