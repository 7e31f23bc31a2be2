create or replace function private.seen_mark(seen text)
returns timestamptz
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_time_length constant integer := 27;
  v_at timestamptz;
begin
  if seen_mark.seen ~ '^\d{4}-[01]\d-[0-3]\d [0-2]\d:[0-5]\d:[0-5]\d\.\d{6}Z [0-9a-f]{64}$' then
    v_at := left(seen_mark.seen, c_time_length)::timestamptz;
  end if;
  return case when private.sign_mark(v_at) = seen_mark.seen then v_at end;
exception
  when datetime_field_overflow then return null;
end
$$;

comment on function private.seen_mark(text) is
$$The time of a mark that private.sign_mark has made; null for everything else.$$;
