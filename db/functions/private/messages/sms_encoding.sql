create or replace function private.sms_encoding(message text)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_alphabet constant text :=
    E'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&''()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
  c_extension constant text := E'\f^{}\\[~]|€';
begin
  return case when translate(sms_encoding.message, c_alphabet || c_extension, '') = '' then 'GSM-7' else 'UCS-2' end;
end
$$;

comment on function private.sms_encoding(text) is
$$How an SMS is encoded (3GPP TS 23.038): GSM-7 where every character is in the default alphabet or its extension table, otherwise UCS-2.$$;
