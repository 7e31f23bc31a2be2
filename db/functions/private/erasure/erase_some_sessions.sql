create or replace function private.erase_some_sessions(account_id uuid)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most constant integer := 5000;
  v_sessions uuid[] := array(select s.id from "user".session s where s.user_id = erase_some_sessions.account_id limit c_most)
    || array(select g.guest_session_id from platform.guest_promotion g where g.user_id = erase_some_sessions.account_id limit c_most);
begin
  if cardinality(v_sessions) < c_most then
    return false;
  end if;
  -- Only here: an erasure locks the account after phones and limits.
  perform private.lock_account(erase_some_sessions.account_id);
  -- The addresses lead to the sends that an erasure takes them out of (private.clients_of_account).
  with erased as (
    delete from "user".session s where s.id = any (v_sessions) returning s.client
  )
  insert into private.known_client as k (account_id, client, logged_in_at)
  select distinct erase_some_sessions.account_id, e.client, clock_timestamp() from erased e where e.client is not null
  on conflict do nothing;
  delete from platform.guest_promotion g where g.guest_session_id = any (v_sessions);
  return true;
end
$$;

comment on function private.erase_some_sessions(uuid) is
$$Deletes thousands of sessions of an account that has more than one transaction can delete with the account in time. account_id: an account
that nobody can sign in to any more. Result: whether it had so many; then call it again in another transaction, and erase the account when it
is false.$$;
