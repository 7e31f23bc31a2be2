create or replace function "user".erase_account_traces()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if private.erase_some_events(old.id) or private.erase_some_sessions(old.id) then
    raise exception 'the account has too many sessions or events to delete it at once: call erase_account, and the clean-up deletes it within the hour'
      using errcode = 'check_violation', constraint = 'account_has_few_sessions';
  end if;
  -- First: it locks a verification state, which requests lock before everything else.
  perform private.erase_email(old.email, old.id);
  perform private.uncount_client_sends(private.erase_traces(old));
  return old;
end
$$;

comment on function "user".erase_account_traces() is
$$Trigger of "user".account: deletes all that is stored about the person, but events, which keep the account's id and lose their addresses, in whatever way the account is deleted. Foreign keys delete sessions,
known clients and promotions.$$;

create or replace trigger erase_account_traces before delete on "user".account
  for each row execute function "user".erase_account_traces();
