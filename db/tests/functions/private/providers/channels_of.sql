begin;
select plan(7);
select set_eq(format('select unnest(private.channels_of(%L, %L))', provider, options), channels, provider || ' with ' || options || ' has these channels')
from (values
  ('console', '{}'::jsonb, array['sms', 'voice', 'whatsapp']),
  ('http', '{"url": "https://sms.example.com"}', array['sms']),
  ('vonage', '{"from": "Latchkey"}', array['sms']),
  ('twilio', '{"messagingServiceSid": "MG"}', array['sms']),
  ('twilio', '{"from": "+12125550100"}', array['sms', 'voice']),
  ('twilio', '{"from": "+12125550100", "contentSid": {"LOGIN": {"default": "HX"}}}', array['sms', 'voice']),
  ('twilio', '{"messagingServiceSid": "MG", "contentSid": {"default": {"default": "HX"}}}', array['sms', 'whatsapp'])
) p (provider, options, channels);
select * from finish();
rollback;
