create or replace function private.clean_up_verification_states(first_page bigint, end_page bigint)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_first tid := format('(%s,0)', first_page)::tid;
  v_end tid := format('(%s,0)', end_page)::tid;
  v_lifetime interval := private.verification_state_lifetime();
begin
  delete from private.verification_state doomed
  where doomed.ctid = any (array(
    select t.ctid
    from private.verification_state t
    where t.ctid >= v_first and t.ctid < v_end
      and coalesce(greatest(t.failed_at, t.known_client_failed_at), '-infinity') < clock_timestamp() - v_lifetime
    for update skip locked
  ));
end
$$;

comment on function private.clean_up_verification_states(bigint, bigint) is
$$Forgets wrong codes in a row private.verification_state_lifetime() after the latest one.
Reads the pages from first_page to the one before end_page and skips locked rows, which the next run finds again.$$;
