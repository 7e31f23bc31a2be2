import pg from "pg";
import { expect } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { toLines } from "../../testing/service/import_users.ts";
import { newPhone } from "../../testing/service/people.ts";
import { startTcpProxy } from "../../testing/network/tcp_proxy.ts";
import { temporaryFolder } from "../../testing/temporary_folder.ts";
import { databaseOf } from "../../testing/postgres/urls.ts";
import { createTestDatabase } from "../../testing/postgres/test_database.ts";
import { hash, test } from "./fixtures/import_fixtures.ts";

test("a run that was killed is completed by the next one", async ({ run, start, countUsers }) => {
  const before = await countUsers();
  const users = Array.from({ length: 500 }, () => ({ phone: newPhone(), password_hash: hash }));
  const { child, closed } = start(["-", "--cost", "4", "--connections", "1"]);
  child.stdin.write(toLines(users.slice(0, 450)));
  await eventually("two batches are stored", async () => (await countUsers()) === before + 400);
  child.kill("SIGKILL");
  await closed;
  const second = await run(toLines(users));
  expect(second).toMatchObject({ error: "", code: 0 });
  expect(second.out).toMatch(/^100 imported, 400 there already, 0 refused;/);
});

test("a connection that is lost during a batch is reported with a sentence, and the next run completes the import", async ({
  run,
  start,
  database,
}) => {
  const users = toLines([{ phone: newPhone(), password_hash: hash }, { phone: newPhone() }]);
  const holder = new pg.Client({ connectionString: database.superuserUrl });
  await holder.connect();
  // The batch waits for this lock.
  await holder.query(`begin; lock table "user".account in exclusive mode`);
  const proxy = await startTcpProxy(database.superuserUrl);
  const env = { DATABASE_URL: proxy.through(database.env.DATABASE_URL ?? "") };
  const { child, closed } = start(["-", "--cost", "4", "--connections", "1"], env);
  child.stdin.end(users);
  const isWaiting = `from pg_stat_activity where datname = current_database() and application_name = 'latchkey import' and wait_event_type = 'Lock'`;
  await eventually("the batch waits", async () => (await database.query(`select ${isWaiting}`)).length === 1);
  await proxy.cut();
  const { error, code } = await closed;
  await holder.end();
  expect(code).toBe(1);
  expect(error).toMatch(/^The database failed \(.*\)\. When it is back, run the same command again: [^\n]*\n$/);
  expect((await run(users)).out).toMatch(/^2 imported,/);
});

test("standard input is a file, too", async ({ start, countUsers }) => {
  const before = await countUsers();
  const { child, closed } = start(["-"]);
  child.stdin.end(toLines([{ phone: newPhone() }]).trimEnd());
  expect(await closed).toMatchObject({ error: "", code: 0 });
  expect(await countUsers()).toBe(before + 1);
});

test("bcrypt around a hash has the cost that --cost says, and no more than PASSWORD_HASH_COST", async ({
  run,
  database,
}) => {
  const costs: (number | undefined)[] = [];
  for (const cost of ["5", "14"]) {
    const phone = newPhone();
    await run(toLines([{ phone, password_hash: hash }]), ["--cost", cost]);
    const [row] = await database.query<{ cost: number }>(
      `select private.password_cost(password_hash) as cost from "user".account where phone = $1`,
      [phone],
    );
    costs.push(row?.cost);
  }
  expect(costs).toEqual([5, 10]);
});

test.for([
  [[], "Usage: npm run import -- FILE"],
  [["a", "b"], "Usage: npm run import -- FILE"],
  [["a", "--cost", "3"], "--cost must be a whole number from 4 to 14, not 3."],
  [["a", "--connections", "many"], "--connections must be a whole number from 1 to 32, not many."],
  [["a", "--force"], "Usage: npm run import"],
  [["/nowhere/users.ndjson"], "The file cannot be read: ENOENT"],
  [["."], ". is a folder"],
] as const)("%j ends with code 1 and a sentence", async ([args, sentence], { start }) => {
  const { out, error, code } = await start([...args]).closed;
  expect({ out, code }).toEqual({ out: "", code: 1 });
  expect(error).toContain(sentence);
  expect(error).not.toContain("    at ");
});

test("a fault of the database or the environment is reported with a sentence", async ({ run, database }) => {
  const url = database.env.DATABASE_URL!;
  const empty = await createTestDatabase({ migrated: false });
  const asServer = new URL(url);
  const home = temporaryFolder();
  const cases: [object, RegExp][] = [
    [{ DATABASE_URL: "postgres://migrator:x@127.0.0.1:1/none" }, /^The database failed \(.*\)\. When it is back, run/],
    [
      { DATABASE_URL: databaseOf(url, "no_such_database") },
      /^The database is not migrated .* Run: npm run db:migrate$/,
    ],
    [{ DATABASE_URL: empty.env.DATABASE_URL }, /^The database is not migrated .* Run: npm run db:migrate$/],
    [{ DATABASE_URL: "", LATCHKEY_HOME: home }, /DATABASE_URL is not set/],
    [{ NODE_ENV: "production" }, /HASH_PEPPER is not set/],
    [{ HASH_PEPPER: Buffer.alloc(32, 9).toString("base64") }, /^HASH_PEPPER is not the one/],
  ];
  asServer.password = "wrong";
  cases.push([{ DATABASE_URL: asServer.href }, /^The database refused the login of DATABASE_URL/]);
  // The database has a pepper once a process has started on it.
  await run(toLines([{ phone: newPhone() }]));
  for (const [env, sentence] of cases) {
    const { error, code } = await run(toLines([{ phone: newPhone() }]), [], env);
    expect(error.trim()).toMatch(sentence);
    expect(error).not.toContain("    at ");
    expect(code).toBe(1);
  }
  await empty.drop();
});
