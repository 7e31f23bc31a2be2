begin;
select plan(2);
select test.clean_slate();
select is((select array_agg(template) from settings.otp_template_costs()), array['{{code}}'], 'the texts of OTP_PROVIDER are listed');
select is((test.call_as('latchkey_admin', 'settings.otp_template_costs()', null::private.otp_text_cost)).template, '{{code}}', 'the admin may list them');

select * from finish();
rollback;
