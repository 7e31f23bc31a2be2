create or replace function private.clean_up_send_decisions(first_page bigint, end_page bigint)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_first tid := format('(%s,0)', first_page)::tid;
  v_end tid := format('(%s,0)', end_page)::tid;
  v_retention interval := private.setting_days('SEND_DECISION_RETENTION_DAYS');
  v_client_lifetime interval := private.send_client_lifetime();
begin
  delete from platform.send_decision doomed
  where doomed.ctid = any (array(
    select t.ctid
    from platform.send_decision t
    where t.ctid >= v_first and t.ctid < v_end
      and t.at < clock_timestamp() - v_retention
    for update skip locked
  ));
  update platform.send_decision aged
  set client = ''
  where aged.ctid = any (array(
    select t.ctid
    from platform.send_decision t
    where t.ctid >= v_first and t.ctid < v_end
      and t.at < clock_timestamp() - v_client_lifetime and t.client <> ''
    for update skip locked
  ));
end
$$;

comment on function private.clean_up_send_decisions(bigint, bigint) is
$$Deletes decisions about sends after SEND_DECISION_RETENTION_DAYS, and takes the address out of them after private.send_client_lifetime().
Reads the pages from first_page to the one before end_page and skips locked rows, which the next run finds again.$$;
