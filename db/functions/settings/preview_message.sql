create or replace function settings.preview_message(template text)
returns setof settings.message_preview
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_message text := private.longest_message(preview_message.template);
begin
  return next row(
    v_message, private.sms_encoding(v_message), length(v_message), private.sms_segments(v_message),
    private.template_fault('The text', to_jsonb(preview_message.template))
  )::settings.message_preview;
end
$$;

comment on function settings.preview_message(text) is
$$Query preview_message: a text for OTP_PROVIDER as the longest message that it makes, with a code of OTP_LENGTH digits and the minutes of
OTP_TTL_SECONDS: one row. Stores nothing.$$;
grant execute on function settings.preview_message(text) to latchkey_admin;
