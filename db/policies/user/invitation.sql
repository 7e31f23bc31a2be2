alter table "user".invitation enable row level security;

grant select, delete on "user".invitation to latchkey_admin;
create policy "the admin sees every invitation" on "user".invitation for select to latchkey_admin using (true);
create policy "the admin withdraws any invitation" on "user".invitation for delete to latchkey_admin using (true);
