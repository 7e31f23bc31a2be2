create or replace function private.clean_up_send_counts(first_page bigint, end_page bigint)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_first tid := format('(%s,0)', first_page)::tid;
  v_end tid := format('(%s,0)', end_page)::tid;
  v_retention interval := private.setting_days('SEND_DECISION_RETENTION_DAYS');
  -- The usual days, and the one that they are compared with.
  v_client_lifetime interval := make_interval(days => fraud.usual_days() + 1);
begin
  delete from private.send_count doomed
  where doomed.ctid = any (array(
    select t.ctid
    from private.send_count t
    where t.ctid >= v_first and t.ctid < v_end
      and t.starts_at < clock_timestamp() - case when t.subject like 'client:%' then v_client_lifetime else v_retention end
    for update skip locked
  ));
end
$$;

comment on function private.clean_up_send_counts(bigint, bigint) is
$$Deletes counters of sends after SEND_DECISION_RETENTION_DAYS; those of a client when the fraud rules do not read them any more.
Reads the pages from first_page to the one before end_page and skips locked rows, which the next run finds again.$$;
