import { expect } from "vitest";
import { rowsProcessedBy } from "../../testing/postgres/rows_processed.ts";
import { test } from "../fixtures/database_fixtures.ts";

const decisions = 60_000;

test("an account that asked for a hundred phones of one prefix is erased at the cost of one", async ({
  database,
  connect,
}) => {
  const [account] = await database.query<{ id: string }>(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550101', now()) returning id`,
  );
  await database.query(
    `insert into private.earlier_phone select $1, '+1202666' || to_char(n, 'FM0000'), null, now() from generate_series(1, 100) n`,
    [account!.id],
  );
  await database.query(
    `insert into private.known_client values ('${account!.id}', '192.0.2.1', now());
     insert into platform.send_decision (id, at, prefix, country, client, purpose, verdict, rule)
       select gen_random_uuid(), now() - n * interval '1 minute', '+12026', 'US', '192.0.2.1', 'PHONE_CHANGE', 'refused', 'FRAUD_CLIENT'
       from generate_series(1, ${decisions}) n;
     analyze`,
  );
  const client = await connect();
  const processed = await rowsProcessedBy(client, "select private.erase_account($1)", [account!.id]);
  // It is 17 times as many; it would be 215 times if each phone met each decision.
  expect(processed).toBeLessThanOrEqual(50 * decisions);
  expect(processed, "the plans were counted").toBeGreaterThan(decisions);
  expect(await database.query("select from platform.send_decision where client <> ''")).toEqual([]);
});
