alter table "user".session enable row level security;

grant select (id, user_id, user_type, role, created_at, access_token_expires_at, refresh_token_expires_at, revoked_at)
  on "user".session to latchkey_guest, latchkey_user, latchkey_admin;

create policy "a guest sees its own session" on "user".session for select to latchkey_guest
  using (id = (select latchkey.session_id()));
create policy "a user sees its own sessions" on "user".session for select to latchkey_user
  using (user_id = (select latchkey.user_id()));

grant select (amr, authenticated_at, client, user_agent, label) on "user".session to latchkey_admin;
-- The trigger "user".complete_session fills the columns that the admin may not set.
grant insert (user_id), update (revoked_at), delete on "user".session to latchkey_admin;
create policy "the admin sees every session" on "user".session for select to latchkey_admin using (true);
create policy "the admin opens any session" on "user".session for insert to latchkey_admin with check (true);
create policy "the admin revokes any session" on "user".session for update to latchkey_admin using (true) with check (true);
create policy "the admin deletes any session" on "user".session for delete to latchkey_admin using (true);

-- Of more than a thousand sessions that end at once the clean-up writes most rows (private.mark_ended_sessions): until
-- then they would look live. Most statements compare each row with null.
create policy "a session that has ended is not shown as live" on "user".session as restrictive for select to latchkey_user, latchkey_admin
  using (revoked_at is not null or coalesce(session_epoch >= ((select "user".session_epochs()) ->> user_id::text)::integer, true));
