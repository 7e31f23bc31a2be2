-- Notices have a limit of their own: codes that a thief asks for must not spend it.
insert into private.setting_definition (key, kind, default_value, minimum, maximum, description) values
  ('NOTICES_PER_IDENTIFIER', 'limit', '"3/3600"', null, null, 'Notices of a changed phone to one phone');
insert into settings.configuration (key, value) values ('NOTICES_PER_IDENTIFIER', '"3/3600"');

comment on column platform.send_decision.rule is
  'The first setting that refused or would have; NOTICES_PER_IDENTIFIER: the phone''s limit refused a notice; null: none';
comment on column platform.otp_transaction.counted_at is
  'The moment at which OTP_SEND_PER_IDENTIFIER, or NOTICES_PER_IDENTIFIER for a notice, counts it; null once given back, and for a test number';
