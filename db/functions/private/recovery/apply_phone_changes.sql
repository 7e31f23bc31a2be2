create or replace function private.apply_phone_changes(identifier text)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account_id uuid;
  -- Read once: a function that may answer differently at each row is no condition of an index.
  v_now timestamptz := clock_timestamp();
begin
  for v_account_id in
    select r.account_id
    from private.phone_recovery r join "user".account a on a.id = r.account_id
    -- A disabled account's waits on, and a login to it does no more than one to an unknown phone.
    where r.due_at <= v_now and private.is_usable(a)
      and (r.phone = apply_phone_changes.identifier or a.phone = apply_phone_changes.identifier or a.email = apply_phone_changes.identifier)
  loop
    perform private.apply_phone_change(v_account_id);
  end loop;
end
$$;

comment on function private.apply_phone_changes(text) is
$$Applies the changes of phone that are due and concern a phone, an account's own or its new one, or an email. Every sign-in by a name calls it first; it reads
only changes that are due, which the clean-up applies within the hour. identifier: E.164 or lower-cased email.$$;
