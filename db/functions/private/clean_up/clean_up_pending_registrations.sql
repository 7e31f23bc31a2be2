create or replace function private.clean_up_pending_registrations(first_page bigint, end_page bigint)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_retention constant interval := interval '30 days';
  v_first tid := format('(%s,0)', first_page)::tid;
  v_end tid := format('(%s,0)', end_page)::tid;
begin
  delete from private.pending_registration doomed
  where doomed.ctid = any (array(
    select t.ctid
    from private.pending_registration t
    where t.ctid >= v_first and t.ctid < v_end
      and t.registered_at < clock_timestamp() - c_retention
    for update skip locked
  ));
end
$$;

comment on function private.clean_up_pending_registrations(bigint, bigint) is
$$Deletes registrations after 30 days. They can be confirmed for private.registration_lifetime(), and show a contest until they are deleted.
Reads the pages from first_page to the one before end_page and skips locked rows, which the next run finds again.$$;
