alter table platform.event_delivery enable row level security;

grant select on platform.event_delivery to latchkey_admin;
create policy "the admin sees what waits and what failed" on platform.event_delivery for select to latchkey_admin using (true);
