create or replace function settings.keep_subscription_to_migrator()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if private.is_production() and (
    tg_op = 'DELETE' or old.enabled and not new.enabled or not old.types <@ new.types or (old.url, old.secret_name) <> (new.url, new.secret_name)
  ) then
    raise exception 'in production only the migrator deletes a subscription, turns it off, takes types from it or changes its url or secret_name, '
      'because its target then misses events: do it by SQL as the migrator'
      using errcode = 'check_violation', constraint = 'event_subscription_is_the_migrators';
  end if;
  return null;
end
$$;

comment on function settings.keep_subscription_to_migrator() is
$$Trigger of settings.event_subscription, for every role that is no member of latchkey_owner, as the migrator is: in production nobody else keeps from
a target what it gets, such as the events of what an admin does. To add a subscription, turn one on or give it more types is the admin's.$$;

-- The condition is evaluated as the role that writes; the function runs as the owner.
create or replace trigger keep_subscription_to_migrator after update or delete on settings.event_subscription
  for each row when (not pg_has_role(current_user, 'latchkey_owner', 'member'))
  execute function settings.keep_subscription_to_migrator();
