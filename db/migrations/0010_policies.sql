-- What GraphQL's roles see and change. Claims are transaction-local settings, latchkey.user_id and latchkey.session_id;
-- "(select …)" makes the planner read them once per statement instead of once per row.

grant select (id, user_id, user_type, role, created_at, access_token_expires_at, refresh_token_expires_at, revoked_at)
  on "user".session to latchkey_guest, latchkey_user, latchkey_admin;
grant select (id, phone, email, phone_verified_at, created_at, updated_at)
  on "user".account to latchkey_guest, latchkey_user, latchkey_admin;
grant select (id, identifier, identifier_type, purpose, attempts, created_at, expires_at, verified_at)
  on platform.otp_transaction to latchkey_guest, latchkey_user, latchkey_admin;
grant select on platform.rate_limit, settings.configuration to latchkey_admin;

create policy "a guest sees its own session" on "user".session for select to latchkey_guest
  using (id = (select nullif(current_setting('latchkey.session_id', true), '')::uuid));

create policy "a user sees its own sessions" on "user".session for select to latchkey_user
  using (user_id = (select nullif(current_setting('latchkey.user_id', true), '')::uuid));

create policy "a user sees its own account" on "user".account for select to latchkey_user
  using (id = (select nullif(current_setting('latchkey.user_id', true), '')::uuid));

create policy "a user sees the codes sent to its phone since it was verified" on platform.otp_transaction for select to latchkey_user
  using (
    identifier = (
      select a.phone from "user".account a where a.id = (select nullif(current_setting('latchkey.user_id', true), '')::uuid)
    )
    and created_at >= (
      select a.phone_verified_at from "user".account a
      where a.id = (select nullif(current_setting('latchkey.user_id', true), '')::uuid)
    )
  );

create policy "a guest has no account" on "user".account for select to latchkey_guest using (id = (select null::uuid));
create policy "a guest has no one-time passwords" on platform.otp_transaction for select to latchkey_guest
  using (identifier = (select null::text));

create policy "the admin sees every session" on "user".session for select to latchkey_admin using (true);
create policy "the admin sees every account" on "user".account for select to latchkey_admin using (true);
create policy "the admin sees every one-time password" on platform.otp_transaction for select to latchkey_admin using (true);
create policy "the admin sees every rate limit" on platform.rate_limit for select to latchkey_admin using (true);

grant update (revoked_at), delete on "user".session to latchkey_admin;
create policy "the admin revokes any session" on "user".session for update to latchkey_admin using (true) with check (true);
create policy "the admin deletes any session" on "user".session for delete to latchkey_admin using (true);

grant update (email), delete on "user".account to latchkey_admin;
create policy "the admin changes any account's email" on "user".account for update to latchkey_admin using (true) with check (true);
create policy "the admin deletes any account" on "user".account for delete to latchkey_admin using (true);

grant delete on platform.otp_transaction, platform.rate_limit to latchkey_admin;
create policy "the admin deletes any one-time password" on platform.otp_transaction for delete to latchkey_admin using (true);
create policy "the admin deletes any rate limit" on platform.rate_limit for delete to latchkey_admin using (true);

grant insert (key, value), update (value), delete on settings.configuration to latchkey_admin;
create policy "the admin manages the configuration" on settings.configuration to latchkey_admin using (true) with check (true);
grant insert (user_id) on "user".session to latchkey_admin;
create policy "the admin opens any session" on "user".session for insert to latchkey_admin with check (true);
