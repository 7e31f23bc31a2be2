-- Notices and test messages are decided about, counted and recorded like codes.
comment on column platform.send_decision.country is
  'ISO 3166-1 alpha-2 code of the phone''s country; 001: a number of no single country, or a notice or test message to a phone that no code was '
  'sent to lately';
comment on column platform.send_decision.client is
  'Client address, as limits count it; admin: a test message; empty: erased with the account, or after private.send_client_lifetime()';
comment on column platform.send_decision.purpose is
  'LOGIN, SIGNUP, PASSWORD_RESET or PHONE_CHANGE; PHONE_CHANGED: a notice; TEST: a test message';
comment on column platform.send_decision.rule is
  'The first setting that refused or would have; OTP_SEND_PER_IDENTIFIER: the phone''s limit refused a notice; null: none';
comment on column platform.delivery_by_hour.country is
  'Country of the phone: ISO 3166-1 alpha-2, 001 as in send_decision; null: email';
comment on column platform.otp_transaction.counted_at is
  'The moment at which OTP_SEND_PER_IDENTIFIER counts it; null once given back, and for a test number';
