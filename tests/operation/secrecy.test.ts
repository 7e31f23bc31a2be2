import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { shared } from "../../testing/run/shared.ts";
import { test, type Recording } from "../fixtures/secrecy_fixtures.ts";

function expectNone(secrets: Recording["secrets"], text: string): void {
  expect(text.length).toBeGreaterThan(1_000);
  expect([...secrets].filter(([, secret]) => text.includes(secret)).map(([name]) => name)).toEqual([]);
}

const unlogged = ({ secrets, challenges }: Recording) => new Map([...secrets, ...challenges]);

test("the secrets of a whole flow are known to this test", ({ recording }) => {
  expect(recording.secrets.size).toBeGreaterThan(100);
  expect(recording.challenges.size).toBe(13);
});

test("no table holds a secret, the queue's included", async ({ recording, database }) => {
  const tables = await database.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(12);
  let dump = "";
  for (const { name } of tables) {
    const rows = await database.query<{ row: string }>(`select t::text as row from ${name} t`);
    dump += rows.map(({ row }) => row).join("\n");
  }
  expect(dump).toContain("OTP_PROVIDER");
  expectNone(recording.secrets, dump);
});

test("neither server nor worker logs a secret, at debug level", ({ recording }) => {
  expect(recording.output.text).toContain("/api/v1/auth/login");
  expectNone(unlogged(recording), recording.output.text);
});

test("the lines of requests name code, route, client, ids and operation, and no phone or email", ({ recording }) => {
  for (const field of ["errorCode", "route", "client", "userId", "sessionId", "otpId"])
    expect(recording.output.text).toContain(`"${field}":"`);
  expect(recording.output.text).toContain('"operation":"Accounts","operationType":"query"');
  expect(recording.output.text).not.toMatch(/1212555[0-9]{4}|@example/);
  expect(recording.output.text).not.toContain("a guess at the secret");
  for (const text of ["a label of its own", "an agent of its own"]) expect(recording.output.text).not.toContain(text);
});

test("PostgreSQL logs every statement and no secret", async ({ recording }) => {
  const log = readFileSync((await shared("cluster")).log, "utf8");
  expect(log).toContain("api.log_in(");
  expect(log).toContain("delivery.issue_otp_code(");
  expectNone(unlogged(recording), log);
});

test("no password reaches the database, not even as a parameter", ({ recording, service }) => {
  const sent = service.proxy.sent();
  expect(sent).not.toContain(recording.secrets.get("digest in base64"));
  expect(sent).toContain("api.log_in(");
  for (const name of [
    "password",
    "newPassword",
    "wrong",
    "imported password",
    "password set by email",
    "proof",
    "secret of an app",
  ])
    expect(sent).not.toContain(recording.secrets.get(name));
  expect(sent).not.toContain(recording.secrets.get("passwordKey in base64"));
});

test("no error contains a secret", ({ recording }) => {
  const errors = recording.answers.filter(({ code }) => code !== undefined);
  expect(errors.length).toBeGreaterThan(3);
  expectNone(recording.secrets, JSON.stringify(errors.map(({ body, headers }) => [body, [...headers]])));
});
