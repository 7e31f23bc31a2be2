begin;
select plan(4);
select test.clean_slate();
select is((test.call_as('latchkey_admin', 'settings.otp_template_costs()', null::private.otp_text_cost)).template, '{{code}}', 'the admin may list the texts');
select test.set_setting('OTP_PROVIDER', jsonb_build_object('providerToUse', 'console', 'template', 'Code {{code}}',
  'templates', jsonb_build_object('LOGIN', jsonb_build_object('ru', repeat('я', 64) || '{{code}}', 'en', repeat('a', 153) || '{{code}}{{minutes}}'))));
select results_eq('select c.* from settings.otp_template_costs() c order by c.locale nulls first', $$values
  (null, null, 'Code {{code}}', 'GSM-7', 1),
  ('LOGIN', 'en', repeat('a', 153) || '{{code}}{{minutes}}', 'GSM-7', 1),
  ('LOGIN', 'ru', repeat('я', 64) || '{{code}}', 'UCS-2', 1)$$, 'each text is listed with what its longest message takes');
select test.set_setting('OTP_LENGTH', '7');
select is((select array_agg(segments order by locale nulls first) from settings.otp_template_costs()), array[1, 2, 2],
  'the length of the code counts');
truncate settings.configuration;
select is_empty('select * from settings.otp_template_costs()', 'without OTP_PROVIDER there is no text');

select * from finish();
rollback;
