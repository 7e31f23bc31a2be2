create or replace function private.warn_of_segments()
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_cost private.otp_text_cost;
begin
  foreach v_cost in array array(select c from settings.otp_template_costs() c where c.segments > 1) loop
    raise warning 'OTP_PROVIDER: % is sent as % SMS each time (%)',
      private.otp_text_name(row(v_cost.purpose, v_cost.locale, null)::private.otp_text), v_cost.segments, v_cost.encoding;
  end loop;
end
$$;

comment on function private.warn_of_segments() is
$$Raises a WARNING for each text of OTP_PROVIDER that takes more than one SMS, because each of them is billed.$$;
