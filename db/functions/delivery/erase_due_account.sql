create or replace function delivery.erase_due_account(skipped bigint)
returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account_id uuid;
  v_erased "user".account;
begin
  select a.id into v_account_id
  from "user".account a
  where a.deletion_due_at <= clock_timestamp()
    -- Not longer than a day: strangers can have codes sent to the phone.
    and (a.deletion_due_at <= clock_timestamp() - interval '1 day' or not private.has_recent_sends(a))
  order by a.deletion_due_at, a.id
  offset erase_due_account.skipped
  limit 1;
  if v_account_id is null then
    return false;
  end if;
  if private.erase_some_events(v_account_id) or private.erase_some_sessions(v_account_id) then
    select a.* into v_erased from "user".account a where a.id = v_account_id;
  else
    v_erased := private.erase_account(v_account_id);
  end if;
  if v_erased.id is not null and (v_erased.deletion_due_at > clock_timestamp() or v_erased.deletion_due_at is null) then
    raise exception 'the account was restored' using errcode = 'object_in_use';
  end if;
  return true;
exception
  -- No code that ends in 000: it would also catch the errors of its class, and with 55000 the lock time-out is one of
  -- them. Undoes the erasure: a login that began before the deletion was due restored the account while this waited for
  -- its locks. To lock the account first, and then look, could deadlock with that login.
  when object_in_use then
    return true;
end
$$;

comment on function delivery.erase_due_account(bigint) is
$$Erases an account whose deletion is due, or some of its sessions or events where it has thousands: one per transaction, so that each holds its locks
for milliseconds. One that a login restores meanwhile stays, and so does one whose phone or email changes, until the next call, and for at
most a day one whose phone has recent sends (private.has_recent_sends). skipped: how many of those that are due longest to skip, because their
erasure failed. Result: whether there was one. The worker calls it after each clean-up until there is none.$$;
grant execute on function delivery.erase_due_account(bigint) to latchkey_worker;
