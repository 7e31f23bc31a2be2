import { readFileSync } from "node:fs";
import { Writable } from "node:stream";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { serverConfig } from "../../config/config.ts";
import { createLog } from "../../runtime/log.ts";
import { bearer, tokensOf, type Answer } from "../../testing/client.ts";
import { requestPasswordReset, newPhone } from "../../testing/people.ts";
import { startService, type Service } from "../../testing/service.ts";

/** Everything that must never lie anywhere, by what it is. */
const secrets = new Map<string, string>();
const answers: Answer[] = [];
let output = "";
let service: Service;
/** No log holds one, nor any part of it that identifies a person. */
const phone = newPhone();

beforeAll(async () => {
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      output += chunk.toString();
      done();
    },
  });
  service = await startService({ log: createLog("test", "debug", sink) });
  // Every statement, as an operator in search of slow ones might have it.
  await service.database.query(
    `do $$ begin execute format('alter database %I set log_min_duration_statement = 0', current_database()); end $$`,
  );
  await service.database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename like 'latchkey%'",
  );
  // Ten digits do not turn up by chance among timestamps and ids.
  await service.set("OTP_LENGTH", 10);
  rememberKeys();
  await runEverything();
});
afterAll(() => service.stop());

function rememberKeys(): void {
  const config = serverConfig(service.database.env);
  for (const [name, key] of Object.entries({
    pepper: config.HASH_PEPPER,
    passwordKey: config.passwordKey,
    codeKey: config.codeKey,
  })) {
    for (const form of ["base64", "base64url", "hex"] as const)
      secrets.set(`${name} in ${form}`, key.toString(form));
  }
  secrets.set("admin secret", config.ADMIN_SECRET);
  for (const { kid, privateKey } of config.JWT_KEYS)
    secrets.set(`signing key ${kid}`, String(privateKey.export({ format: "jwk" }).d));
}

/** A whole life of an account, failures included; what is secret in it is remembered. */
async function runEverything(): Promise<void> {
  const { client, gateway } = service;
  const passwords = {
    password: "my first secret phrase",
    newPassword: "my second secret phrase",
    wrong: "a guess at the phrase",
  };
  const note = (answer: Answer) => {
    answers.push(answer);
    const found = {
      ...answer.body.data,
      ...(answer.body.data?.insert_user_session_one as object | undefined),
    } as Record<string, unknown>;
    for (const name of ["access_token", "refresh_token"]) {
      if (found[name] !== undefined)
        secrets.set(`${name} ${answers.length}`, (found[name] as string).split(".")[2]!);
    }
    return answer;
  };
  for (const [name, password] of Object.entries(passwords)) secrets.set(name, password);

  note(await client.post("/auth/session/guest"));
  note(
    await client.post("/auth/register", {
      phone,
      password: passwords.password,
      email: "someone@example.com",
    }),
  );
  const [sent, signUpCode] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  note(sent);
  secrets.set("sign-up code", signUpCode);
  note(await client.post("/auth/register/verify", { phone, otp: "0000000000" }));
  note(await client.post("/auth/register/verify", { phone, otp: signUpCode }));
  note(await client.post("/auth/login", { phone, password: passwords.wrong }));
  const login = note(await client.post("/auth/login", { phone, password: passwords.password }));
  await graphql(bearer(tokensOf(login).access_token));
  await graphql({ "x-admin-secret": serverConfig(service.database.env).ADMIN_SECRET });
  await graphql({ "x-admin-secret": "a guess at the secret" });
  const fresh = note(await client.refresh(tokensOf(login).refresh_token));
  note(
    await client.post(
      `/auth/logout?access_token=${tokensOf(login).access_token}`,
      undefined,
      bearer(tokensOf(fresh).access_token),
    ),
  );
  note(await client.refresh(tokensOf(fresh).refresh_token));
  const resetCode = await requestPasswordReset(service, phone);
  secrets.set("reset code", resetCode);
  note(
    await client.post("/auth/reset-password/verify", {
      phone,
      otp: resetCode,
      newPassword: passwords.newPassword,
    }),
  );
  note(await client.post("/auth/login", `{"phone":"${phone}","password":"${passwords.newPassword}"`));
  // A vendor that fails leaves a job that failed.
  gateway.behave(500);
  await client.post("/auth/reset-password", { phone });
  secrets.set("code of a failed SMS", await gateway.nextCode(phone));
}

/** A query whose text and variables hold what no log may: a phone, and whatever the headers carry. */
async function graphql(headers: Record<string, string>): Promise<void> {
  const response = await fetch(`${service.url}/v1/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({
      query: `query Accounts($phone: String) { one: user_account(where: { phone: { _eq: $phone } }) { id }
        other: user_account(where: { phone: { _eq: "${phone}" } }) { id } wrong: user_account { nothing } }`,
      variables: { phone },
    }),
  });
  await response.text();
}

function expectNone(text: string): void {
  expect(text.length).toBeGreaterThan(1_000);
  expect([...secrets].filter(([, secret]) => text.includes(secret)).map(([name]) => name)).toEqual([]);
}

test("the secrets of a whole flow are known to this test", () => {
  expect(secrets.size).toBeGreaterThan(20);
});

test("no table holds a secret, the queue's included", async () => {
  const tables = await service.database.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(12);
  let dump = "";
  for (const { name } of tables) {
    const rows = await service.database.query<{ row: string }>(`select t::text as row from ${name} t`);
    dump += rows.map(({ row }) => row).join("\n");
  }
  expect(dump).toContain("OTP_PROVIDER");
  expectNone(dump);
});

test("neither server nor worker logs a secret, at debug level", () => {
  expect(output).toContain("/api/v1/auth/login");
  expectNone(output);
});

test("the lines of requests name code, route, client, ids and operation, and no phone or email", () => {
  for (const field of ["errorCode", "route", "client", "userId", "sessionId", "otpId"])
    expect(output).toContain(`"${field}":"`);
  expect(output).toContain('"operation":"Accounts","operationType":"query"');
  expect(output).not.toContain(phone.slice(1));
  expect(output).not.toContain("someone@example");
  expect(output).not.toContain("a guess at the secret");
});

test("PostgreSQL logs every statement and no secret", () => {
  const log = readFileSync(inject("cluster").log, "utf8");
  expect(log).toContain("api.log_in(");
  expect(log).toContain("delivery.issue_otp_code(");
  expectNone(log);
});

test("no password reaches the database, not even as a parameter", () => {
  const sent = service.proxy.sent();
  expect(sent).toContain("api.log_in(");
  for (const name of ["password", "newPassword", "wrong"]) expect(sent).not.toContain(secrets.get(name));
  expect(sent).not.toContain(secrets.get("passwordKey in base64"));
});

test("no error tells a secret", () => {
  const errors = answers.filter(({ code }) => code !== undefined);
  expect(errors.length).toBeGreaterThan(3);
  expectNone(JSON.stringify(errors.map(({ body, headers }) => [body, [...headers]])));
});
