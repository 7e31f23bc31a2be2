alter table platform.otp_transaction enable row level security;

grant select (id, identifier, identifier_type, purpose, attempts, created_at, expires_at, verified_at)
  on platform.otp_transaction to latchkey_guest, latchkey_user, latchkey_admin;

-- Both subqueries are evaluated once, and an index finds the rows. A condition that is checked for every row took a
-- minute for five million rows.
create policy "a user sees the codes sent to its phone since it was verified" on platform.otp_transaction for select to latchkey_user
  using (
    identifier = (
      select a.phone from "user".account a where a.id = (select latchkey.user_id())
    )
    and created_at >= (
      select a.phone_verified_at from "user".account a
      where a.id = (select latchkey.user_id())
    )
  );
-- As on "user".account: a condition that no row of the index meets.
create policy "a guest has no one-time passwords" on platform.otp_transaction for select to latchkey_guest
  using (identifier = (select null::text));

grant delete on platform.otp_transaction to latchkey_admin;
create policy "the admin sees every one-time password" on platform.otp_transaction for select to latchkey_admin using (true);
create policy "the admin deletes any one-time password" on platform.otp_transaction for delete to latchkey_admin using (true);
