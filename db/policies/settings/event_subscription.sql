alter table settings.event_subscription enable row level security;

grant select, insert (id, url, types, secret_name, enabled), update (url, types, secret_name, enabled), delete
  on settings.event_subscription to latchkey_admin;
create policy "the admin manages subscriptions to events" on settings.event_subscription to latchkey_admin using (true) with check (true);
