alter table platform.rate_limit enable row level security;

grant select, delete on platform.rate_limit to latchkey_admin;
create policy "the admin sees every rate limit" on platform.rate_limit for select to latchkey_admin using (true);
create policy "the admin deletes any rate limit" on platform.rate_limit for delete to latchkey_admin using (true);
