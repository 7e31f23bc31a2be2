create or replace function private.count_attempt(otp_id uuid)
returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  update platform.otp_transaction o set attempts = o.attempts + 1 where o.id = count_attempt.otp_id
$$;

comment on function private.count_attempt(uuid) is
$$Counts a wrong guess. otp_id: a row that private.check_otp has locked, or null where there is none.$$;
revoke all on function private.count_attempt(uuid) from public;
