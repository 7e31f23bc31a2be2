create or replace function private.sign_mark(at timestamptz)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_text text := to_char(sign_mark.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US"Z"');
begin
  return (
    select v_text || ' ' || encode(crypto.hmac(convert_to('mark ' || v_text, 'UTF8'), i.identity_key, 'sha256'), 'hex') from private.installation i
  );
end
$$;

comment on function private.sign_mark(timestamptz) is
$$A mark (startup.mark_database) as a process remembers it: nobody else can make one that was never there. at: of the mark.$$;
