alter table "user".account enable row level security;

grant select (id, external_id, phone, email, email_verified_at, phone_verified_at, created_at, updated_at)
  on "user".account to latchkey_guest, latchkey_user, latchkey_admin;

-- Claims are transaction-local settings. "(select …)" makes the planner read them once per statement instead of once
-- per row.
create policy "a user sees its own account" on "user".account for select to latchkey_user
  using (id = (select latchkey.user_id()));
-- Without a policy PostgreSQL 15 reads the whole table to find that a guest sees none of it. A null key is an index
-- condition that no row meets.
create policy "a guest has no account" on "user".account for select to latchkey_guest using (id = (select null::uuid));

grant select (disabled_at, disabled_reason, was_disabled_at, was_disabled_reason, enabled_at, deletion_due_at, factor_failures)
  on "user".account to latchkey_admin;
-- phone: only where it is null ("user".give_phone).
grant update (email, phone), delete on "user".account to latchkey_admin;
create policy "the admin sees every account" on "user".account for select to latchkey_admin using (true);
create policy "the admin changes any account's email, and a phone that is missing" on "user".account for update to latchkey_admin using (true) with check (true);
create policy "the admin deletes any account" on "user".account for delete to latchkey_admin using (true);
