create or replace function private.clean_up_known_clients(first_page bigint, end_page bigint)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_first tid := format('(%s,0)', first_page)::tid;
  v_end tid := format('(%s,0)', end_page)::tid;
  v_lifetime interval := private.known_client_lifetime();
begin
  delete from private.known_client doomed
  where doomed.ctid = any (array(
    select t.ctid
    from private.known_client t
    where t.ctid >= v_first and t.ctid < v_end
      and t.logged_in_at <= clock_timestamp() - v_lifetime
    for update skip locked
  ));
end
$$;

comment on function private.clean_up_known_clients(bigint, bigint) is
$$Forgets clients from which an account has not logged in for private.known_client_lifetime().
Reads the pages from first_page to the one before end_page and skips locked rows, which the next run finds again.$$;
