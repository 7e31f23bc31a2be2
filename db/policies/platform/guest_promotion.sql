alter table platform.guest_promotion enable row level security;

grant select on platform.guest_promotion to latchkey_admin;
create policy "the admin sees every promotion" on platform.guest_promotion for select to latchkey_admin using (true);
