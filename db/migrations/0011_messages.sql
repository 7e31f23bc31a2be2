-- Texts per purpose and language, codes that fill themselves in, test numbers.
alter table platform.otp_transaction add column languages text[] not null default '{}';
comment on column platform.otp_transaction.languages is
  'Languages of the request (Accept-Language), the preferred one first: the message is written in the first that OTP_PROVIDER has a text for';
alter table platform.otp_transaction add column autofill text;
comment on column platform.otp_transaction.autofill is
  'What the last line of the message needs: "@" and a host of OTP_ORIGINS, or a hash of OTP_APP_HASHES; null: no such line';

alter table platform.otp_transaction drop constraint otp_transaction_delivery_is_known;
alter table platform.otp_transaction add constraint otp_transaction_delivery_is_known check (
  delivery in ('queued', 'sending', 'sent', 'refused', 'declined', 'unreachable', 'uncertain', 'dropped', 'cancelled', 'stored', 'test')
);
comment on column platform.otp_transaction.delivery is
  'queued → sending → sent | refused (by the vendor, for the recipient) | declined (for the vendor''s own reasons) | unreachable (no '
  'connection) | uncertain (no clear answer); back to queued before another attempt; '
  'dropped: must not be sent; cancelled: no request waits any more; stored: EMAIL that is never sent; '
  'test: for a number of OTP_TEST_NUMBERS, to which nothing is sent';

-- The migration writes its row before a process has stored the pepper's fingerprint.
alter table private.installation alter column pepper_fingerprint drop not null;
alter table private.installation add column production boolean;
comment on column private.installation.production is
  'Whether the last migration ran with NODE_ENV=production; null: it was of a version that did not record it';
comment on column private.installation.pepper_fingerprint is
  'Derived from HASH_PEPPER (HKDF); the pepper cannot be computed from it. Set it to null to continue with another pepper: all passwords must then be reset';

alter table private.setting_definition drop constraint setting_definition_kind_is_known;
alter table private.setting_definition add constraint setting_definition_kind_is_known check (
  kind in ('integer', 'integer or off', 'limit', 'limit or off', 'on or off', 'provider', 'origins', 'app hashes', 'test numbers')
);
insert into private.setting_definition (key, kind, default_value, minimum, maximum, description) values
  ('OTP_ORIGINS', 'origins', '[]', null, null,
   'Web origins that input.autofill of POST /otp/send may name: ["https://app.example.com"]'),
  ('OTP_APP_HASHES', 'app hashes', '[]', null, null,
   'Hashes of Android apps that input.autofill of POST /otp/send may name, 11 characters each'),
  ('OTP_TEST_NUMBERS', 'test numbers', '{}', null, null,
   'Phones to which nothing is sent and whose code is fixed: {"+12025550123": {"code": "123456", "until": "2027-01-31T00:00:00Z"}}'),
  ('OTP_TEST_NUMBERS_IN_PRODUCTION', 'on or off', '"off"', null, null,
   'Whether OTP_TEST_NUMBERS works in production');
insert into settings.configuration (key, value)
select d.key, d.default_value from private.setting_definition d
where d.key in ('OTP_ORIGINS', 'OTP_APP_HASHES', 'OTP_TEST_NUMBERS', 'OTP_TEST_NUMBERS_IN_PRODUCTION');

create type private.otp_text as (purpose text, locale text, template text);
comment on type private.otp_text is
  'A text of OTP_PROVIDER. purpose and locale: its keys in "templates"; both null: "template", the last resort';

create type private.otp_text_cost as (purpose text, locale text, template text, encoding text, segments integer);
comment on type private.otp_text_cost is 'A row of the view settings.otp_template';
