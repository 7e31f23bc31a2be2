create or replace function private.clean_up_sessions(first_page bigint, end_page bigint)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_first tid := format('(%s,0)', first_page)::tid;
  v_end tid := format('(%s,0)', end_page)::tid;
  v_before timestamptz := clock_timestamp() - private.setting_days('SESSION_RETENTION_DAYS');
begin
  delete from "user".session doomed
  where doomed.ctid = any (array(
    select t.ctid
    from "user".session t
    where t.ctid >= v_first and t.ctid < v_end
      and coalesce(t.revoked_at, t.refresh_token_expires_at) < v_before
    for update skip locked
  ));
end
$$;

comment on function private.clean_up_sessions(bigint, bigint) is
$$Deletes sessions SESSION_RETENTION_DAYS after they were revoked or expired.
Reads the pages from first_page to the one before end_page and skips locked rows, which the next run finds again.$$;
