create or replace function private.clean_up_sessions(first_page bigint, end_page bigint)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_retention constant interval := interval '7 days';
  v_first tid := format('(%s,0)', first_page)::tid;
  v_end tid := format('(%s,0)', end_page)::tid;
begin
  delete from "user".session doomed
  where doomed.ctid = any (array(
    select t.ctid
    from "user".session t
    where t.ctid >= v_first and t.ctid < v_end
      and coalesce(t.revoked_at, t.refresh_token_expires_at) < clock_timestamp() - c_retention
    for update skip locked
  ));
end
$$;

comment on function private.clean_up_sessions(bigint, bigint) is
$$Deletes sessions 7 days after they were revoked or expired.
Reads the pages from first_page to the one before end_page and skips locked rows, which the next run finds again.$$;
