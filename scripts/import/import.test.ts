import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashSync } from "bcryptjs";
import pg from "pg";
import { expect } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { toLines } from "../../testing/import_users.ts";
import { newPhone } from "../../testing/people.ts";
import { startTcpProxy } from "../../testing/tcp_proxy.ts";
import { temporaryFolder } from "../../testing/temporary_folder.ts";
import { databaseOf } from "../../testing/urls.ts";
import { createTestDatabase } from "../../testing/test_database.ts";

const hash = hashSync("correct horse", 4);

/** start runs the command; run waits for its end. A file is given by its content. */
const test = baseTest
  .extend("start", { scope: "file" }, ({ database }) => (args: string[], env: object = {}) => {
    const child = spawn(process.execPath, ["scripts/import/main.ts", ...args], {
      cwd: join(import.meta.dirname, "../.."),
      env: { PATH: process.env.PATH, ...database.env, ...env },
    });
    const output = { out: "", error: "", code: null as number | null };
    child.stdout.on("data", (chunk) => (output.out += String(chunk)));
    child.stderr.on("data", (chunk) => (output.error += String(chunk)));
    const closed = once(child, "close").then(([code]) => ({ ...output, code: code as number | null }));
    return { child, closed };
  })
  .extend(
    "run",
    { scope: "file" },
    ({ start }) =>
      (content: string | Buffer, args: string[] = [], env: object = {}) => {
        const file = join(temporaryFolder(), "users.ndjson");
        writeFileSync(file, content);
        return start([file, "--cost", "4", ...args], env).closed;
      },
  )
  .extend("countUsers", { scope: "file" }, ({ database }) => async () => {
    const [row] = await database.query<{ count: number }>(
      `select count(*)::integer as count from "user".account where import_fingerprint is not null`,
    );
    return row!.count;
  });

test("users are imported with what their lines say, and a second run skips them", async ({
  run,
  database,
}) => {
  const [one, two, three] = [newPhone(), newPhone(), newPhone()];
  const content = toLines([
    { phone: one, email: " Ada@Example.com ", password_hash: hash, created_at: "2019-05-06 07:08:09.123+02" },
    { phone: `${two.slice(0, 2)} ${two.slice(2)}`, password_hash: null, email: "" },
    { phone: three, created_at: "2020-01-02T03:04:05Z" },
  ]);
  const first = await run(`\uFEFF${content}\n\r\n`);
  expect(first).toMatchObject({ error: "", code: 0 });
  expect(first.out).toMatch(
    /^3 imported, 0 there already, 0 refused; \d+ users per second, \d+ MB of memory\n$/,
  );
  const stored = await database.query(
    `select phone, email, password_hash is not null as has_password, foreign_parameters, extract(epoch from created_at)::float as created
     from "user".account where phone = any($1) order by phone`,
    [[one, two, three]],
  );
  expect(stored).toEqual([
    {
      ...{ phone: one, email: "ada@example.com", has_password: true },
      ...{ foreign_parameters: `${hash.slice(0, 29)}$23`, created: 1557119289.123 },
    },
    {
      phone: two,
      email: null,
      has_password: false,
      foreign_parameters: null,
      created: expect.any(Number) as number,
    },
    { phone: three, email: null, has_password: false, foreign_parameters: null, created: 1577934245 },
  ]);
  expect(await run(content)).toMatchObject({
    error: "",
    out: expect.stringMatching(/^0 imported, 3 there already, 0 refused;/) as string,
    code: 0,
  });
});

test("every line that is refused is named with its reason, the others are imported, and the code is 1", async ({
  run,
  database,
}) => {
  const [native, twice, good] = [newPhone(), newPhone(), newPhone()];
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (gen_random_uuid(), $1, now())`,
    [native],
  );
  const refused: [string | Buffer, string][] = [
    ["{", "not JSON"],
    ["[]", "not a JSON object"],
    ["null", "not a JSON object"],
    [JSON.stringify({ email: "a@b.example" }), "phone must be text"],
    [JSON.stringify({ phone: "212 555 0123" }), "phone is not a valid number"],
    [JSON.stringify({ phone: "+1 212 555" }), "phone is not a valid number"],
    [JSON.stringify({ phone: newPhone(), email: "nobody" }), "email is not a valid address"],
    [JSON.stringify({ phone: newPhone(), email: 7 }), "email must be text"],
    [JSON.stringify({ phone: newPhone(), passwordHash: hash }), "a member is none of phone, email,"],
    [JSON.stringify({ phone: newPhone(), password_hash: "secret" }), "the password hash is none of"],
    [
      JSON.stringify({ phone: newPhone(), password_hash: hash.replace("$04$", "$31$") }),
      "the bcrypt hash is refused: its cost must be 4 to 14",
    ],
    [JSON.stringify({ phone: newPhone(), created_at: "yesterday" }), "created_at is not a time"],
    [JSON.stringify({ phone: newPhone(), created_at: "2023-02-31T00:00:00Z" }), "created_at is not a time"],
    [
      JSON.stringify({ phone: newPhone(), created_at: "2999-01-01T00:00:00Z" }),
      "created_at is in the future",
    ],
    [
      JSON.stringify({ phone: newPhone(), email: "x".repeat(20_000) }),
      "longer than 16384 bytes, or not UTF-8",
    ],
    [Buffer.from([0x7b, 0xff, 0x7d]), "longer than 16384 bytes, or not UTF-8"],
    [JSON.stringify({ phone: native }), "its phone has another account"],
    [JSON.stringify({ phone: twice, email: "second@b.example" }), "its phone has another account"],
  ];
  const lines = [
    JSON.stringify({ phone: twice }),
    "",
    ...refused.map(([line]) => line),
    JSON.stringify({ phone: good }),
  ];
  const content = Buffer.concat(lines.map((line) => Buffer.concat([Buffer.from(line), Buffer.from("\n")])));
  const { out, error, code } = await run(content, ["--connections", "1"]);
  expect(code).toBe(1);
  expect(out).toMatch(new RegExp(`^2 imported, 0 there already, ${refused.length} refused;`));
  expect(error.trim().split("\n")).toEqual(
    refused.map(([, reason], index) => expect.stringContaining(`line ${index + 3}: ${reason}`) as string),
  );
  expect(error, "no part of a line").not.toMatch(/secret|example|\+1212|\$2b\$04/);
});

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

test("a connection that is lost in a batch is said in a sentence, and the next run completes the import", async ({
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
  expect(error).toMatch(
    /^The database failed \(.*\)\. When it is back, run the same command again: [^\n]*\n$/,
  );
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

test("what is wrong with the database or the environment is said in a sentence", async ({
  run,
  database,
}) => {
  const url = database.env.DATABASE_URL!;
  const empty = await createTestDatabase({ migrated: false });
  const asServer = new URL(url);
  const home = temporaryFolder();
  const cases: [object, RegExp][] = [
    [
      { DATABASE_URL: "postgres://migrator:x@127.0.0.1:1/none" },
      /^The database failed \(.*\)\. When it is back, run/,
    ],
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
