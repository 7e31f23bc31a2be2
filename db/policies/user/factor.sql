alter table "user".factor enable row level security;

grant select (id, user_id, kind, label, created_at, confirmed_at, last_used_at, counter_went_back_at) on "user".factor to latchkey_user, latchkey_admin;
grant select (is_synced) on "user".factor to latchkey_admin;

create policy "a user sees its own factors" on "user".factor for select to latchkey_user
  using (user_id = (select latchkey.user_id()));
create policy "the admin sees every factor" on "user".factor for select to latchkey_admin using (true);
