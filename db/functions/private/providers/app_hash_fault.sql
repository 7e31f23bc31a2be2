create or replace function private.app_hash_fault()
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Android's SMS Retriever ignores a longer message.
  c_most_bytes constant integer := 140;
  -- Two digits always have room, so that a code that is waiting fits when OTP_TTL_SECONDS becomes shorter.
  c_least_minutes constant integer := 10;
  v_hash text := private.setting('OTP_APP_HASHES') ->> 0;
  v_text private.otp_text;
  v_bytes integer;
begin
  if v_hash is null then
    return null;
  end if;
  foreach v_text in array array(select t from private.otp_texts(private.setting('OTP_PROVIDER')) t where t.template is not null and t.purpose = any (private.notice_purposes()) is not true) loop
    v_bytes := octet_length(convert_to(private.longest_message(v_text.template, c_least_minutes) || private.autofill_line(v_hash, ''), 'UTF8'));
    if v_bytes > c_most_bytes then
      return format(
        '%s of OTP_PROVIDER takes up to %s bytes with the hash of an app, and OTP_APP_HASHES allows %s',
        private.otp_text_name(v_text), v_bytes, c_most_bytes
      );
    end if;
  end loop;
  return null;
end
$$;

comment on function private.app_hash_fault() is
$$Which text of OTP_PROVIDER leaves no room for the hash of an app, as a sentence; null when each does, or OTP_APP_HASHES is empty.$$;
