-- A user's own one-time passwords by two scalars that are read once and an index. The condition before was checked for every row
-- of the table: a minute at five million.
create index otp_transaction_identifier on platform.otp_transaction (identifier, created_at);

drop policy "a user sees the codes sent to its phone since it was verified" on platform.otp_transaction;
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

-- Without a policy PostgreSQL 15 reads the whole table to find that a guest sees none of it. A key that is null is an index condition
-- that nothing meets.
create policy "a guest has no account" on "user".account for select to latchkey_guest using (id = (select null::uuid));
create policy "a guest has no one-time passwords" on platform.otp_transaction for select to latchkey_guest
  using (identifier = (select null::text));
