alter table platform.event enable row level security;

grant select (id, type, at, user_id, session_id, actor, client, data) on platform.event to latchkey_user, latchkey_admin;
create policy "a user sees its own events" on platform.event for select to latchkey_user
  using (user_id = (select latchkey.user_id()));
create policy "the admin sees every event" on platform.event for select to latchkey_admin using (true);
