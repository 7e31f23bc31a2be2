create or replace function private.clean_up_otp_transactions(first_page bigint, end_page bigint)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_first tid := format('(%s,0)', first_page)::tid;
  v_end tid := format('(%s,0)', end_page)::tid;
  v_before timestamptz := clock_timestamp() - private.setting_days('OTP_RETENTION_DAYS');
begin
  delete from platform.otp_transaction doomed
  where doomed.ctid = any (array(
    select t.ctid
    from platform.otp_transaction t
    where t.ctid >= v_first and t.ctid < v_end
      and t.created_at < v_before
    for update skip locked
  ));
end
$$;

comment on function private.clean_up_otp_transactions(bigint, bigint) is
$$Deletes one-time passwords, and their delivery attempts with them, OTP_RETENTION_DAYS after they were requested.
Reads the pages from first_page to the one before end_page and skips locked rows, which the next run finds again.$$;
