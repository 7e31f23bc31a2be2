create or replace function private.clean_up_earlier_phones(first_page bigint, end_page bigint)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_first tid := format('(%s,0)', first_page)::tid;
  v_end tid := format('(%s,0)', end_page)::tid;
  v_lifetime interval := private.earlier_phone_lifetime();
begin
  delete from private.earlier_phone doomed
  where doomed.ctid = any (array(
    select t.ctid
    from private.earlier_phone t
    where t.ctid >= v_first and t.ctid < v_end
      and greatest(t.held_until, t.asked_at) < clock_timestamp() - v_lifetime
    for update skip locked
  ));
end
$$;

comment on function private.clean_up_earlier_phones(bigint, bigint) is
$$Forgets an account's earlier phones after private.earlier_phone_lifetime(): no row is left that they lead to.
Reads the pages from first_page to the one before end_page and skips locked rows, which the next run finds again.$$;
