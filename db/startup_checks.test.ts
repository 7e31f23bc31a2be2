import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/test_database.ts";
import { serverConfig, workerConfig } from "../config/config.ts";
import type { Log } from "../runtime/log.ts";
import { openPool } from "../runtime/pool.ts";
import { checkDatabase } from "./startup_checks.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** Runs the checks; result: what they warned of. */
async function check(
  url: string,
  {
    schema = "api",
    production = true,
    pepper = "the pepper",
  }: { schema?: "api" | "delivery"; production?: boolean; pepper?: string } = {},
): Promise<string[]> {
  const warnings: string[] = [];
  const log = { warn: (line: string) => warnings.push(line) } as unknown as Log;
  // Silent about connections that still close while the database is dropped.
  const pool = openPool({ connectionString: url, max: 1, application_name: "startup checks" }, log);
  try {
    await checkDatabase({
      query: pool.query.bind(pool),
      schema,
      log,
      config: { production, pepperFingerprint: Buffer.from(pepper) },
    });
    return warnings;
  } finally {
    await pool.end();
  }
}

const serverUrl = () => serverConfig(database.env).SERVER_DATABASE_URL;
const refusal = (message: unknown) => ({ name: "OperatorError", message });

test("a database of this version, asked by the roles made for it, passes without a word", async () => {
  expect(await check(serverUrl())).toEqual([]);
  expect(await check(workerConfig(database.env).WORKER_DATABASE_URL, { schema: "delivery" })).toEqual([]);
});

test("another pepper than the database's stops the start with a sentence", async () => {
  await check(serverUrl());
  const message = expect.stringMatching(/^HASH_PEPPER is not the one .* private\.installation;$/) as string;
  await expect(check(serverUrl(), { pepper: "another" })).rejects.toMatchObject(refusal(message));
  const workerUrl = workerConfig(database.env).WORKER_DATABASE_URL;
  await expect(check(workerUrl, { schema: "delivery", pepper: "another" })).rejects.toMatchObject(
    refusal(message),
  );
  await database.query("delete from private.installation");
  expect(await check(serverUrl(), { pepper: "another" })).toEqual([]);
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

test("an address of a database that is not there is told as one that is not migrated", async () => {
  const url = new URL(database.superuserUrl);
  url.pathname = `${database.name}_elsewhere`;
  await expect(check(url.href)).rejects.toMatchObject(
    refusal(expect.stringMatching(/^The database is not migrated \(database ".*" does not exist\)\. Run: /)),
  );
});

test("a role without a right to the entry points is refused with a sentence", async () => {
  await expect(check(serverUrl(), { schema: "delivery" })).rejects.toMatchObject(
    refusal(expect.stringContaining("permission denied for schema delivery")),
  );
});

test("a right that a role of ours lost is found at start, by server and worker", async () => {
  await database.query('drop policy "a user sees its own account" on "user".account');
  const message = expect.stringMatching(
    /^Rights of Latchkey's roles are missing: "user".account: policy "a user sees its own account" for latchkey_user\. /,
  ) as string;
  await expect(check(serverUrl())).rejects.toMatchObject(refusal(message));
  await expect(
    check(workerConfig(database.env).WORKER_DATABASE_URL, { schema: "delivery" }),
  ).rejects.toMatchObject(refusal(message));
});

test("a database of an older version is refused with a sentence", async () => {
  await database.query("delete from migration.applied where name >= '0006'");
  await expect(check(serverUrl())).rejects.toMatchObject(
    refusal(
      expect.stringMatching(
        /^The database is of an older version: it is at migration 0005_rate_limits and not at \d{4}_\w+\. Run: npm run db:migrate$/,
      ),
    ),
  );
});

test("a database of a newer version is refused with a sentence", async () => {
  await database.query("insert into migration.applied (name, run_on) values ('9001_next', now())");
  await expect(check(serverUrl())).rejects.toMatchObject(
    refusal(
      expect.stringMatching(
        /^The database is of a newer version: it is at migration 9001_next, this version knows none after \d{4}_\w+\.$/,
      ),
    ),
  );
});

test("a database that does not answer is a sentence of its own", async () => {
  await expect(check("postgres://x@127.0.0.1:1/x")).rejects.toMatchObject(
    refusal(expect.stringMatching(/^The database cannot be asked: .*ECONNREFUSED/)),
  );
});

test("a role that is superuser is refused in production, and warned of elsewhere", async () => {
  const message = expect.stringMatching(
    /^The database role postgres is superuser and .*: it must not\.$/,
  ) as string;
  await expect(check(database.superuserUrl)).rejects.toMatchObject(refusal(message));
  expect(await check(database.superuserUrl, { production: false })).toEqual([message]);
});

test.each([
  ["bypasses row-level security", "alter role ROLE bypassrls"],
  ["makes roles", "alter role ROLE createrole"],
  ["replicates", "alter role ROLE replication"],
  ["owns a table", "set role ROLE; create table public.mine (); reset role"],
  ["may become latchkey_server", "grant latchkey_server to ROLE"],
  ["may become latchkey_owner", "grant latchkey_owner to ROLE"],
  ["may become pg_read_all_data", "grant pg_read_all_data to ROLE"],
])("a role that %s is refused in production", async (what, make) => {
  const role = `${database.name}_role`;
  const url = new URL(database.superuserUrl);
  url.username = role;
  url.password = "secret";
  await database.query(`create role ${role} login password 'secret';
                        grant usage on schema api to ${role};
                        grant execute on function api.installed_migration() to ${role};
                        grant create on schema public to ${role}; grant connect on database ${database.name} to ${role}`);
  await database.query(make.replaceAll("ROLE", role));
  try {
    await expect(check(url.href)).rejects.toMatchObject(
      refusal(`The database role ${role} ${what}: it must not.`),
    );
  } finally {
    await database.query(`drop owned by ${role}; drop role ${role}`);
  }
});

test("the migrator is refused: it may become the owner of everything", async () => {
  await expect(check(String(database.env.DATABASE_URL))).rejects.toMatchObject(
    refusal(
      expect.stringMatching(
        /^The database role latchkey_migrator makes roles and may become .*latchkey_owner/,
      ),
    ),
  );
});

test("a wrong password is told as such, and not as a missing migration", async () => {
  const url = new URL(serverUrl());
  url.password = "wrong";
  await expect(check(url.href)).rejects.toMatchObject(
    refusal(expect.stringMatching(/^The database refused the login \(password authentication failed/)),
  );
});

test.each([
  ["slow statements", "log_min_duration_statement = 100"],
  ["every statement", "log_statement = 'all'"],
])(
  "bind parameters that PostgreSQL would log with %s are warned of, with the remedy",
  async (_what, setting) => {
    await database.query(`alter database ${database.name} set ${setting}`);
    expect(await check(serverUrl())).toEqual([]);
    await database.query(`alter database ${database.name} set log_parameter_max_length = -1`);
    expect(await check(serverUrl())).toEqual([
      expect.stringContaining("alter system set log_parameter_max_length = 0; select pg_reload_conf();"),
    ]);
  },
);
