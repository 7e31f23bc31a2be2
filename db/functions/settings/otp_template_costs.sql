create or replace function settings.otp_template_costs()
returns setof private.otp_text_cost
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select t.purpose, t.locale, t.template, private.sms_encoding(m), private.sms_segments(m)
  from private.otp_texts(private.setting('OTP_PROVIDER')) t, private.longest_message(t.template) m
  where t.template is not null
$$;

comment on function settings.otp_template_costs() is
$$@behavior -*
Every text of OTP_PROVIDER with the encoding and number of the SMS that its longest message takes; no row while none is set. The rows of the
view settings.otp_template, which GraphQL shows instead.$$;
grant execute on function settings.otp_template_costs() to latchkey_admin;

create or replace view settings.otp_template with (security_invoker = true) as
  select c.purpose, c.locale, c.template, c.encoding, c.segments from settings.otp_template_costs() c;
comment on view settings.otp_template is
  'The texts of OTP_PROVIDER, and as how many SMS each is sent with a code of OTP_LENGTH digits and the minutes of OTP_TTL_SECONDS';
comment on column settings.otp_template.purpose is 'LOGIN, SIGNUP, PASSWORD_RESET, PHONE_CHANGE, EMAIL_CHANGE, PHONE_CHANGED, PHONE_CHANGE_DUE, EMAIL_CHANGED, FACTORS_CHANGED and INVITATION (notices) or default: its key in "templates"; null: "template", the last resort';
comment on column settings.otp_template.locale is 'Language tag or default: its key within the purpose; null: "template"';
comment on column settings.otp_template.template is 'The text';
comment on column settings.otp_template.encoding is 'GSM-7 or UCS-2 (3GPP TS 23.038)';
comment on column settings.otp_template.segments is 'How many SMS a message takes; each is billed';
