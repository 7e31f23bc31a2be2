begin;
select plan(19);
select is(private.setting_fault('OTP_LENGHT', '6'), 'there is no such setting', 'an unknown setting is refused');
select is(private.setting_fault(key, value::jsonb), null, key || ' may be ' || value)
from (values ('OTP_LENGTH', '4'), ('REFRESH_REUSE_GRACE_SECONDS', '0'), ('OTP_SEND_PER_IP', '"1/60"'),
  ('GUEST_PER_IP', '"off"'), ('GUEST_PER_IP', '"1/60"'),
  ('OTP_FAILURES_IN_A_ROW', '"off"'), ('OTP_FAILURES_IN_A_ROW', '1'),
  ('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}"}'),
  ('FRAUD_COOL_DOWN', '{"mode": "enforce", "seconds": 60, "exempt": []}')) s (key, value);
select ok(private.setting_fault(key, value::jsonb) like sentence, key || ' may not be ' || value)
from (values
  ('OTP_LENGTH', '3', 'must be a whole number from 4 to 10, not 3'),
  ('OTP_SEND_PER_IP', '"off"', 'must be text "requests/seconds"%'),
  ('OTP_VERIFY_LIMIT', '"off"', 'must be text "requests/seconds"%'),
  ('GUEST_PER_IP', '"none"', 'must be text "requests/seconds"%'),
  ('OTP_FAILURES_IN_A_ROW', '0', 'must be a whole number from 1 to 100000, not 0'),
  ('OTP_FAILURES_IN_A_ROW', '"none"', 'must be a whole number%'),
  ('OTP_LENGTH', '"off"', 'must be a whole number%'),
  ('OTP_PROVIDER', '"console"', 'must be an object%'),
  ('FRAUD_COOL_DOWN', '{"mode": "enforce", "minimum": 60, "exempt": []}', 'must be an object with the members of {%"seconds": 30}')
) s (key, value, sentence);

select * from finish();
rollback;
