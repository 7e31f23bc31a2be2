create or replace function private.mark_ended_sessions()
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Few enough for a login to wait for the account's row.
  c_most constant integer := 1000;
  v_account "user".account;
  v_ended uuid[];
begin
  select a.* into v_account from "user".account a
  where a.sessions_ended_at is not null
  order by a.id
  limit 1
  for no key update;
  if v_account.id is null then
    return false;
  end if;
  v_ended := array(
    select s.id from "user".session s
    where s.user_id = v_account.id and s.session_epoch < v_account.session_epoch and s.revoked_at is null
    order by s.id
    limit c_most
    for no key update
  );
  update "user".session s set revoked_at = v_account.sessions_ended_at where s.id = any (v_ended);
  if cardinality(v_ended) = 0 then
    update "user".account a set sessions_ended_at = null where a.id = v_account.id;
  end if;
  return true;
end
$$;

comment on function private.mark_ended_sessions() is
$$Writes revoked_at of sessions that ended with all of their user's, and are more than private.revoke_sessions_of_user writes itself: at most
1000 of one account. Result: whether there was an account with any; then call it again, in another transaction.$$;
