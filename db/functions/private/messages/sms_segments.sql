create or replace function private.sms_segments(message text)
returns integer
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- The extension table: an escape and a second septet for each.
  c_two_septets constant text := E'\f^{}\\[~]|€';
  v_is_gsm boolean := private.sms_encoding(sms_segments.message) = 'GSM-7';
  c_room_alone constant integer := case when v_is_gsm then 160 else 70 end;
  -- A header takes the place of the rest.
  c_room_of_several constant integer := case when v_is_gsm then 153 else 67 end;
  v_character text;
  v_units integer;
  v_total integer := 0;
  v_used integer := 0;
  v_segments integer := 1;
begin
  foreach v_character in array string_to_array(sms_segments.message, null) loop
    v_units := case
      when v_is_gsm then 1 + (strpos(c_two_septets, v_character) > 0)::integer
      else 1 + (ascii(v_character) > 65535)::integer
    end;
    v_total := v_total + v_units;
    -- A pair of septets, or of surrogates, does not go over the end of a segment.
    if v_used + v_units > c_room_of_several then
      v_segments := v_segments + 1;
      v_used := 0;
    end if;
    v_used := v_used + v_units;
  end loop;
  return case when v_total <= c_room_alone then 1 else v_segments end;
end
$$;

comment on function private.sms_segments(text) is
$$How many SMS a message is sent and billed as (3GPP TS 23.038 and 23.040): one holds 160 septets of GSM-7 or 70 units of UCS-2; of
several, each holds 153 or 67.$$;
