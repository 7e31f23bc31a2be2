import { expect } from "vitest";
import { createTestDatabase } from "../../testing/postgres/test_database.ts";
import { check, refusal, test } from "./fixtures/startup_fixtures.ts";

test("a database of this version passes without a warning, for the roles that were created for it", async ({
  serverUrl,
  workerUrl,
}) => {
  expect(await check(serverUrl)).toEqual([]);
  expect(await check(workerUrl, { schema: "delivery" })).toEqual([]);
});

test("another pepper than the database's stops the start with a sentence", async ({
  database,
  serverUrl,
  workerUrl,
}) => {
  await check(serverUrl);
  const message = expect.stringMatching(
    /^HASH_PEPPER is not the one .* private\.installation set pepper_fingerprint = null;$/,
  ) as string;
  await expect(check(serverUrl, { pepper: "another" })).rejects.toMatchObject(refusal(message));
  await expect(check(workerUrl, { schema: "delivery", pepper: "another" })).rejects.toMatchObject(refusal(message));
  await database.query("update private.installation set pepper_fingerprint = null");
  expect(await check(serverUrl, { pepper: "another" })).toEqual([]);
});

test("a database that is read-only is refused with a sentence", async ({ database, serverUrl }) => {
  await database.query(
    `alter role latchkey_server in database ${database.name} set default_transaction_read_only = on`,
  );
  try {
    await expect(check(serverUrl)).rejects.toMatchObject(
      refusal(expect.stringMatching(/^The database is read-only \(.*\): the address has to lead to the primary\./)),
    );
  } finally {
    await database.query(`alter role latchkey_server in database ${database.name} reset default_transaction_read_only`);
  }
});

test("a database that was never migrated is refused with a sentence", async () => {
  const empty = await createTestDatabase({ migrated: false });
  try {
    await expect(check(empty.superuserUrl)).rejects.toMatchObject(
      refusal(expect.stringMatching(/^The database is not migrated \(.*\)\. Run: npm run db:migrate$/)),
    );
  } finally {
    await empty.drop();
  }
});

test("a database that does not exist is reported as one that is not migrated", async ({ database }) => {
  const url = new URL(database.superuserUrl);
  url.pathname = `${database.name}_elsewhere`;
  await expect(check(url.href)).rejects.toMatchObject(
    refusal(expect.stringMatching(/^The database is not migrated \(database ".*" does not exist\)\. Run: /)),
  );
});

test("a database of an older version is refused with a sentence", async ({ database, serverUrl }) => {
  await database.query("delete from migration.applied where name >= '0006'");
  await expect(check(serverUrl)).rejects.toMatchObject(
    refusal(
      expect.stringMatching(
        /^The database is of an older version: it is at migration 0005_sessions and not at \d{4}_\w+\. Run: npm run db:migrate$/,
      ),
    ),
  );
});

test("a database of a newer version is refused with a sentence", async ({ database, serverUrl }) => {
  await database.query("insert into migration.applied (name, run_on) values ('9001_next', now())");
  await expect(check(serverUrl)).rejects.toMatchObject(
    refusal(
      expect.stringMatching(
        /^The database is of a newer version: it is at migration 9001_next, the last one of this version is \d{4}_\w+\.$/,
      ),
    ),
  );
});

test("a database that does not answer is reported with a sentence of its own", async () => {
  await expect(check("postgres://x@127.0.0.1:1/x")).rejects.toMatchObject(
    refusal(expect.stringMatching(/^The database cannot be reached: .*ECONNREFUSED/)),
  );
});

const keepParametersOut =
  "alter system set log_parameter_max_length = 0; alter system set log_parameter_max_length_on_error = 0; select pg_reload_conf();";

test("if a failing statement makes PostgreSQL log bind parameters, the start warns", async ({
  database,
  serverUrl,
}) => {
  await database.query(`alter database ${database.name} set log_parameter_max_length_on_error = 100`);
  expect(await check(serverUrl)).toEqual([expect.stringContaining(keepParametersOut)]);
});

test.for([
  ["slow statements", "log_min_duration_statement = 100"],
  ["a sample of statements", "log_min_duration_sample = 100"],
  ["a sample of transactions", "log_transaction_sample_rate = 0.1"],
  ["every statement", "log_statement = 'all'"],
])(
  "if %s makes PostgreSQL log bind parameters, the start warns and names the remedy",
  async ([_what, setting], { database, serverUrl }) => {
    await database.query(`alter database ${database.name} set ${setting}`);
    expect(await check(serverUrl)).toEqual([]);
    await database.query(`alter database ${database.name} set log_parameter_max_length = -1`);
    expect(await check(serverUrl)).toEqual([expect.stringContaining(keepParametersOut)]);
  },
);

test("while the pepper is rotated both are accepted with a line that says so, and then not the earlier one alone", async ({
  database,
  serverUrl,
  workerUrl,
}) => {
  await database.query("update private.installation set pepper_fingerprint = null");
  await check(serverUrl, { pepper: "the old" });
  const says = expect.stringMatching(/^HASH_PEPPER names two peppers: .* npm run pepper -- status/) as string;
  expect(await check(serverUrl, { pepper: "the old,the new" })).toEqual([says]);
  expect(await check(serverUrl, { pepper: "the old" })).toEqual([]);
  await expect(check(serverUrl, { pepper: "the new" })).rejects.toThrow("HASH_PEPPER is not the one");
  expect(await check(workerUrl, { schema: "delivery", pepper: "the new,the old" })).toEqual([says]);
  expect(await check(serverUrl, { pepper: "the old,the new" })).toEqual([says]);
  expect(await check(serverUrl, { pepper: "the new,the old" })).toEqual([says]);
  await expect(check(serverUrl, { pepper: "the old" })).rejects.toThrow("HASH_PEPPER is not the one");
  expect(await check(serverUrl, { pepper: "the new" })).toEqual([]);
});
