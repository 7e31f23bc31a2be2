alter table platform.delivery_attempt enable row level security;

grant select on platform.delivery_attempt to latchkey_admin;
create policy "the admin sees every delivery attempt" on platform.delivery_attempt for select to latchkey_admin using (true);
