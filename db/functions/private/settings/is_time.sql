create or replace function private.is_time(value text)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return is_time.value ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2})$'
    and is_time.value::timestamptz is not null;
exception
  when datetime_field_overflow or invalid_datetime_format or invalid_time_zone_displacement_value then
    return false;
end
$$;

comment on function private.is_time(text) is
$$Whether a text is a time of ISO 8601 with its distance from UTC, so that it means the same in every time zone.$$;
