import { expect } from "vitest";
import { pagesReadBy } from "../../testing/browser/pages_read.ts";
import { test } from "../fixtures/database_fixtures.ts";

// A call about one account must not read the rows of all accounts: an erasure holds its locks until it ends.
const accounts = 100_000;
const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
const sessionIdOf = (number: number) => idOf(number).replace("8000", "9000");

test.beforeAll(async ({ database }) => {
  await database.query(`
    set session_replication_role = replica;
    insert into "user".account (id, phone, email, password_hash, phone_verified_at)
      select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '+1202' || 5000000 + n, n || '@example.org',
        '$2a$10$' || repeat('.', 53), now()
      from generate_series(1, ${accounts}) n;
    insert into "user".session
      (id, user_id, user_type, role, access_token_id, access_token_expires_at, refresh_token_id, refresh_token_expires_at, client)
      select overlay(a.id::text placing '9000' from 20)::uuid, a.id, 'user', 'user',
        gen_random_uuid(), now() + interval '1 hour', gen_random_uuid(), now() + interval '30 days', '192.0.2.' || right(a.phone, 2)
      from "user".account a;
    insert into "user".session
      (id, user_id, user_type, role, access_token_id, access_token_expires_at, refresh_token_id, refresh_token_expires_at)
      select ('00000000-0000-7000-8fff-' || lpad(n::text, 12, '0'))::uuid, '${idOf(1)}', 'user', 'user',
        gen_random_uuid(), now(), gen_random_uuid(), now()
      from generate_series(1, 3000) n;
    insert into private.known_client select a.id, '192.0.2.' || right(a.phone, 2), now() from "user".account a;
    insert into platform.guest_promotion select gen_random_uuid(), a.id, now() from "user".account a;
    insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, delivery, expires_at)
      select gen_random_uuid(), a.phone, 'PHONE', 'LOGIN', true, 'sent', now() from "user".account a;
    insert into platform.send_decision (id, at, prefix, country, client, purpose, verdict, otp_id)
      select gen_random_uuid(), now(), '+12025', 'US', '198.18.' || right(o.identifier, 4), 'LOGIN', 'allowed', o.id from platform.otp_transaction o;
    insert into private.verification_state (identifier_type, identifier) select 'PHONE', a.phone from "user".account a;
    insert into private.guess_count (identifier_type, identifier, purpose, guesses, first_guess_at) select 'PHONE', a.phone, 'LOGIN', 1, now() from "user".account a;
    insert into platform.rate_limit (key) select 'LOGINS_PER_PHONE:' || a.id from "user".account a;
    set session_replication_role = origin`);
  await database.query("vacuum analyze");
});

test.for([
  ["erasing one", `select private.erase_account('${idOf(50_000)}')`, 1_800],
  ["exporting one", `select private.export_account('${idOf(50_000)}')`, 500],
  ["exporting one with 3,000 old sessions", `select private.export_account('${idOf(1)}')`, 500],
  ["disabling one", `select "user".disable_account('${idOf(50_000)}', 'spam')`, 150],
  ["looking for one to erase", "select delivery.erase_due_account(0)", 100],
  ["a session's owner", `select api.describe_caller('${sessionIdOf(50_000)}')`, 100],
  ["choosing a decoy", "select private.decoy_password('+12025550101')", 100],
  ["choosing a decoy of another country", "select private.decoy_password('+4915155501')", 100],
] as const)("of 100,000 accounts, %s reads few pages", async ([, statement, most], { connection }) => {
  expect(await pagesReadBy(connection, statement)).toBeLessThan(most);
});
