alter table settings.configuration enable row level security;

grant select, insert (key, value), update (value), delete on settings.configuration to latchkey_admin;
create policy "the admin manages the configuration" on settings.configuration to latchkey_admin using (true) with check (true);
