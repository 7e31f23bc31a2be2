create or replace function private.otp_text_costs()
returns setof private.otp_text_cost
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select t.purpose, t.locale, t.template, private.sms_encoding(m), private.sms_segments(m)
  from private.otp_texts(private.setting('OTP_PROVIDER')) t, private.longest_message(t.template) m
  where t.template is not null
$$;

comment on function private.otp_text_costs() is
$$Every text of OTP_PROVIDER with the encoding and number of the SMS that its longest message takes; no row while none is set.$$;
