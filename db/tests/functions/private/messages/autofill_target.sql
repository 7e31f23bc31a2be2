begin;
select plan(9);
select test.clean_slate();
select is(private.autofill_target('https://app.example.com', null), null, 'no origin is allowed by default');
select is(private.autofill_target(null, 'FA+9qCX9VSu'), null, 'no app is allowed by default');
select test.set_setting('OTP_ORIGINS', '["https://app.example.com", "https://example.org:8443", "http://localhost:3000"]');
select test.set_setting('OTP_APP_HASHES', '["FA+9qCX9VSu"]');
select is(private.autofill_target(origin, null), target, origin || ' is named by its host')
from (values ('https://app.example.com', '@app.example.com'), ('https://example.org:8443', '@example.org'), ('http://localhost:3000', '@localhost')) o (origin, target);
select is(private.autofill_target(null, 'FA+9qCX9VSu'), 'FA+9qCX9VSu', 'an app is named by its hash');
select is(private.autofill_target('FA+9qCX9VSu', null), null, 'the hash of an app is no origin');
select is(private.autofill_target(null, 'https://app.example.com'), null, 'an origin is no hash of an app');
select is(private.autofill_target(null, null), null, 'without origin and app there is no target');

select * from finish();
rollback;
