begin;
select plan(10);
select is(private.option_ids_fault(provider, options), null, options::text || ' is valid for ' || provider)
from (values
  ('aws-sns', '{"entityId": "1101234567890123456", "templateId": {"default": {"default": "1107234567890123456"}}}'::jsonb),
  ('vonage', '{"entityId": "1101234567890123456", "contentId": {"LOGIN": {"hi": "1107234567890123456"}}}'),
  ('twilio', '{"from": "+12125550100", "contentSid": {"default": {"default": "HX0123456789abcdef0123456789abcdef"}}}'),
  ('console', '{}')
) t (provider, options);
select is(private.option_ids_fault(provider, options), fault, options::text || ' is invalid for ' || provider)
from (values
  ('aws-sns', '{"entityId": 1101234567890123456}'::jsonb, 'aws-sns.entityId must be an id such as 1101234567890123456'),
  ('vonage', '{"entityId": "11 01"}', 'vonage.entityId must be an id such as 1101234567890123456'),
  ('aws-sns', '{"templateId": "1107234567890123456"}', 'aws-sns.templateId must be an object of ids by purpose and locale, as texts are in templates'),
  ('vonage', '{"contentId": {"LOGIN": {"hi": ""}}}', 'vonage.contentId.LOGIN.hi must be an id such as 1107234567890123456'),
  ('http', '{"templateId": {"login": {}}}', 'http.templateId may have LOGIN, SIGNUP, PASSWORD_RESET, PHONE_CHANGE, EMAIL_CHANGE, PHONE_CHANGED, PHONE_CHANGE_DUE, EMAIL_CHANGED, FACTORS_CHANGED, INVITATION, default, not login'),
  ('twilio', '{"contentSid": {"default": {"default": "HX1"}}}', 'twilio.contentSid.default.default must be an id such as HX and 32 hexadecimal digits')
) t (provider, options, fault);

select * from finish();
rollback;
