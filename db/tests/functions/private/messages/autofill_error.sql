begin;
select plan(7);
select test.clean_slate();
select test.set_setting('OTP_ORIGINS', '["https://app.example.com"]');
select test.set_setting('OTP_APP_HASHES', '["FA+9qCX9VSu"]');
select is(private.autofill_error('PHONE', 'https://app.example.com', null), null, 'an origin on the list is allowed');
select is(private.autofill_error('PHONE', null, 'FA+9qCX9VSu'), null, 'an app on the list is allowed');
select is(private.autofill_error('EMAIL', null, null), null, 'naming neither is allowed');
select is((private.autofill_error(type, origin, hash))::text,
  '(INVALID_REQUEST,"{""field"": ""input.autofill"", ""reason"": ""autofill_not_allowed""}")', what)
from (values
  ('PHONE', 'https://evil.example', null, 'an origin that is not on the list is refused'),
  ('PHONE', 'https://app.example.com/', null, 'an origin is compared as it is'),
  ('PHONE', null, 'FA+9qCX9VSv', 'an app that is not on the list is refused'),
  ('EMAIL', 'https://app.example.com', null, 'a message that is no SMS fills nothing in')
) t (type, origin, hash, what);

select * from finish();
rollback;
