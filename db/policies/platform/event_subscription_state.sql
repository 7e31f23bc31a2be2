alter table platform.event_subscription_state enable row level security;

grant select on platform.event_subscription_state to latchkey_admin;
create policy "the admin sees how it goes with subscriptions" on platform.event_subscription_state for select to latchkey_admin using (true);
