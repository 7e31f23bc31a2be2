create or replace function private.clean_up_guess_counts(first_page bigint, end_page bigint)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_first tid := format('(%s,0)', first_page)::tid;
  v_end tid := format('(%s,0)', end_page)::tid;
  v_lifetime interval := private.setting_seconds('OTP_TTL_SECONDS');
begin
  delete from private.guess_count doomed
  where doomed.ctid = any (array(
    select t.ctid
    from private.guess_count t
    where t.ctid >= v_first and t.ctid < v_end
      and t.first_guess_at <= clock_timestamp() - v_lifetime
    for update skip locked
  ));
end
$$;

comment on function private.clean_up_guess_counts(bigint, bigint) is
$$Deletes wrong codes that no longer count.
Reads the pages from first_page to the one before end_page and skips locked rows, which the next run finds again.$$;
