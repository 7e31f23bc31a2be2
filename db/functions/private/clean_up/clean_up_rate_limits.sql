create or replace function private.clean_up_rate_limits(first_page bigint, end_page bigint)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_first tid := format('(%s,0)', first_page)::tid;
  v_end tid := format('(%s,0)', end_page)::tid;
  v_before timestamptz := clock_timestamp() - private.rate_limit_retention();
begin
  delete from platform.rate_limit doomed
  where doomed.ctid = any (array(
    select t.ctid
    from platform.rate_limit t
    where t.ctid >= v_first and t.ctid < v_end
      and coalesce(t.hits[cardinality(t.hits)] <= v_before, true)
    for update skip locked
  ));
end
$$;

comment on function private.clean_up_rate_limits(bigint, bigint) is
$$Deletes spent rate limits: those without a hit for the longest period of any limit in force.
Reads the pages from first_page to the one before end_page and skips locked rows, which the next run finds again.$$;
