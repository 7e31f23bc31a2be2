begin;
select plan(37);
select is(private.setting_fault('OTP_LENGHT', '6'), 'there is no such setting', 'an unknown setting is refused');
select is(private.setting_fault(key, value::jsonb), null, key || ' may be ' || value)
from (values ('OTP_LENGTH', '4'), ('REFRESH_REUSE_GRACE_SECONDS', '0'), ('OTP_SEND_PER_IP', '"1/60"'),
  ('GUEST_PER_IP', '"off"'), ('GUEST_PER_IP', '"1/60"'),
  ('OTP_FAILURES_IN_A_ROW', '"off"'), ('OTP_FAILURES_IN_A_ROW', '1'),
  ('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}"}'), ('OTP_TEST_NUMBERS_IN_PRODUCTION', '"on"'),
  ('OTP_TEST_NUMBERS_IN_PRODUCTION', '"off"'), ('OTP_ORIGINS', '["https://app.example.com"]'), ('OTP_APP_HASHES', '["FA+9qCX9VSu"]'),
  ('OTP_TEST_NUMBERS', '{"+12025550101": {"code": "424242", "until": "2027-01-31T00:00:00Z"}}'),
  ('FRAUD_COOL_DOWN', '{"mode": "enforce", "seconds": 60, "exempt": []}'), ('REFRESH_REUSE_POLICY', '"revoke"'), ('REFRESH_REUSE_POLICY', '"refuse"'),
  ('REFRESH_REUSE_POLICY', '"same-client"'), ('SECOND_FACTOR', '"required"')) s (key, value);
select ok(private.setting_fault(key, value::jsonb) like sentence, key || ' may not be ' || coalesce(value, 'null of SQL'))
from (values
  ('OTP_LENGTH', '3', 'must be a whole number from 4 to 10, not 3'),
  ('OTP_SEND_PER_IP', '"off"', 'must be text "requests/seconds"%'),
  ('OTP_VERIFY_LIMIT', '"off"', 'must be text "requests/seconds"%'),
  ('GUEST_PER_IP', '"none"', 'must be text "requests/seconds"%; it may also be off'),
  ('OTP_FAILURES_IN_A_ROW', '0', 'must be a whole number from 1 to 100000, not 0; it may also be off'),
  ('OTP_FAILURES_IN_A_ROW', '"none"', 'must be a whole number%'),
  ('OTP_LENGTH', '"off"', 'must be a whole number%'),
  ('OTP_PROVIDER', '"console"', 'must be an object%'),
  ('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}", "templates": {"LOGIN": {"de": "Code"}}}', 'templates.LOGIN.de must%'),
  ('OTP_TEST_NUMBERS_IN_PRODUCTION', 'true', 'must be on or off'),
  ('OTP_TEST_NUMBERS_IN_PRODUCTION', '"ON"', 'must be on or off'),
  ('REFRESH_REUSE_POLICY', '"Revoke"', 'must be one of revoke, refuse, same-client'),
  ('SECOND_FACTOR', '["off"]', 'must be one of optional, required, off'),
  ('REFRESH_REUSE_POLICY', null, 'must be one of revoke, refuse, same-client'),
  ('OTP_ORIGINS', '["app.example.com"]', 'must hold https origins%'),
  ('OTP_APP_HASHES', '["x"]', 'must hold hashes%'),
  ('OTP_TEST_NUMBERS', '[]', 'must be an object of phones%'),
  ('FRAUD_COOL_DOWN', '{"mode": "enforce", "minimum": 60, "exempt": []}', 'must be an object with the members of {%"seconds": 30}')
) s (key, value, sentence);

select * from finish();
rollback;
