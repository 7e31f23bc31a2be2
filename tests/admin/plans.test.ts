import { expect } from "vitest";
import { secretOf } from "../../testing/browser/admin_page.ts";
import { adminRequests, seedAccounts } from "../../testing/browser/admin_scale.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { askGraphql } from "../../testing/graphql/graphql_client.ts";
import type { TestDatabase } from "../../testing/postgres/test_database.ts";

/** Enough rows for PostgreSQL to prefer an index, as it does for millions. */
const accounts = 20_000;
/** A day is one part in 700, so that no sample of the statistics makes reading everything look cheaper. */
const secondsApart = 3_000;
const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({ worker: false }));

const sequentialScans = async (database: TestDatabase): Promise<Record<string, string>> => {
  const rows = await database.query<{ name: string; scans: string }>(
    `select relid::regclass::text as name, seq_scan::text as scans from pg_stat_user_tables
     where schemaname in ('user', 'platform', 'private') and n_live_tup > 5000 order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, scans }) => [name, scans]));
};

test("every query of the console reads large tables by an index", async ({ service, database }) => {
  await database.query(seedAccounts(accounts, secondsApart));
  await database.query("vacuum analyze");
  // Otherwise the scans that filled the tables may be counted later, as if the requests had caused them.
  await database.query("select pg_stat_force_next_flush()");
  const [account] = await database.query<{ id: string; phone: string; session: string }>(
    `select a.id, a.phone, s.id as session from "user".account a join "user".session s on s.user_id = a.id where a.email = 'person9000@example.org'`,
  );
  const before = await sequentialScans(database);
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining(['"user".account', '"user".session', "platform.otp_transaction", "private.send_count"]),
  );
  // PostgreSQL publishes a connection's counts at its end at the latest, so the requests go to a server that is then
  // stopped.
  const run = async (requests: { name: string; text: string; variables: object }[]) => {
    const server = await service.startAnotherServer();
    const admin = askGraphql(server.url, { "x-admin-secret": secretOf(service) });
    for (const { name, text, variables } of requests) {
      const { body } = await admin(text, { ...variables });
      expect({ name, errors: body.errors }).toEqual({ name, errors: undefined });
    }
    await server.stop();
  };
  await run(adminRequests(account!));
  expect(await sequentialScans(database)).toEqual(before);
  // Proves that the check would find a table that is read in whole.
  await run([
    {
      name: "all",
      text: '{ user_account_aggregate(where: { email: { _like: "%9" } }) { aggregate { count } } }',
      variables: {},
    },
  ]);
  await expect.poll(() => sequentialScans(database), { timeout: 60_000 }).not.toEqual(before);
});
