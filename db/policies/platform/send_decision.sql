alter table platform.send_decision enable row level security;

grant select on platform.send_decision to latchkey_admin;
create policy "the admin sees every decision to send" on platform.send_decision for select to latchkey_admin using (true);
