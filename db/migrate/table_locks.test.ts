import pg from "pg";
import { expect } from "vitest";
import { blockedConnections } from "../../testing/postgres/lock_race.ts";
import { copySql } from "../../testing/postgres/sql_copy.ts";
import { isolatedTest } from "../fixtures/database_fixtures.ts";
import { migrate } from "../migrate.ts";

/** Another version: its migration replaces every trigger and every policy. */
function otherVersion(): string {
  const copy = copySql();
  copy.edit("functions/platform/record_deletion.sql", "language plpgsql", "language  plpgsql");
  copy.edit("policies/platform/rate_limit.sql", "grant select, delete", "grant  select, delete");
  return copy.directory;
}

/** `read` begins a transaction that reads a table and does not end, as a request's. */
const test = isolatedTest.extend("read", ({ database }, { onCleanup }) => {
  const clients: pg.Client[] = [];
  onCleanup(() => Promise.all(clients.map((client) => client.end())).then(() => undefined));
  return async (table: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: database.superuserUrl, application_name: "a request" });
    clients.push(client);
    await client.connect();
    await client.query(`begin; set local lock_timeout = '2s'; select from ${table}`);
    return client;
  };
});

test.for([
  ["platform.rate_limit", "platform.rate_limit"],
  ["platform.rate_limit", "settings.configuration"],
  ["settings.configuration", "platform.rate_limit"],
  ["settings.setting", "platform.otp_transaction"],
  ["graphile_worker._private_jobs", '"user".session'],
])(
  "a request that has read %s writes %s while a migration waits for it, and both succeed",
  async ([one, other], { database, config, read }) => {
    const request = await read(one!);
    const lines: string[] = [];
    const migration = migrate(config, (line) => lines.push(line), otherVersion());
    // Fails here or below, where the request ends.
    const ended = migration.catch((error: unknown) => error);
    await blockedConnections(database, 1);
    await request.query(`delete from ${other} where false; commit`);
    expect(await ended).toBeUndefined();
    expect(lines).toEqual(["migrated: functions, policies"]);
  },
);

test("a transaction that does not end stops a migration with a sentence that names it", async ({ config, read }) => {
  await read("platform.rate_limit");
  await expect(migrate(config, undefined, otherVersion(), 1_000)).rejects.toMatchObject({
    name: "OperatorError",
    message: expect.stringMatching(
      /^The tables could not be locked within 1 seconds\. Locked all that time by process \d+ \(role \S+, application "a request"\)\. Wait until it has ended, or end it: /,
    ) as string,
  });
});

test("a migration that has nothing to do waits for no transaction", async ({ config, read }) => {
  await read("platform.rate_limit");
  const lines: string[] = [];
  await migrate(config, (line) => lines.push(line));
  expect(lines).toEqual([]);
});
