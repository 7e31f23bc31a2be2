import { decodeJwt } from "jose";
import { expect } from "vitest";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { goodPassword, newPhone } from "../../testing/service/people.ts";
import { tokensOf, type Answer } from "../../testing/service/rest_client.ts";
import type { TestDatabase } from "../../testing/postgres/test_database.ts";
import { codesOf, count, serverCount, test as baseTest } from "../fixtures/race_fixtures.ts";

const test = baseTest.extend("codeOf", ({ client, gateway }) => async (phone: string, purpose = "LOGIN") => {
  const [, otp] = await Promise.all([client.sendOtp(phone, purpose), gateway.nextCode(phone)]);
  return otp;
});

/** Locks the row that every verification of a phone, and every registration of it, locks first. */
async function lockOf(database: TestDatabase, phone: string) {
  await database.query(
    "insert into private.verification_state (identifier_type, identifier) values ('PHONE', $1) on conflict do nothing",
    [phone],
  );
  return codesOf(phone);
}

const accountsOf = (database: TestDatabase, phone: string) =>
  database.query<{ id: string; has_password: boolean }>(
    `select id, password_hash is not null as has_password from "user".account where phone = $1`,
    [phone],
  );

const userOf = (answer: Answer) => decodeJwt(tokensOf(answer).access_token).sub;

test("of 20 parallel right codes for a new phone, one opens an account and a session", async ({
  database,
  parallel,
  codeOf,
}) => {
  const phone = newPhone();
  const otp = await codeOf(phone);
  const answers = await raceBehindLock(database, await lockOf(database, phone), serverCount, () =>
    parallel(20, (server, headers) => server.post("/auth/login/otp", { phone, otp }, headers)),
  );
  expect(count(answers, 200)).toBe(1);
  expect(count(answers, "OTP_ALREADY_USED")).toBe(19);
  const sessions = await database.query(
    `select a.phone from "user".account a join "user".session s on s.user_id = a.id where a.phone = $1`,
    [phone],
  );
  expect(sessions).toEqual([{ phone }]);
});

test("a sign-up by code and a registration's verification at once leave one account", async ({
  client,
  database,
  parallel,
  codeOf,
}) => {
  const phone = newPhone();
  await client.post("/auth/register", { phone, password: goodPassword });
  const codes = { signUp: await codeOf(phone, "SIGNUP"), logIn: await codeOf(phone) };
  const [verified, loggedIn] = await raceBehindLock(database, await lockOf(database, phone), 2, () =>
    parallel(2, (server, headers, index) =>
      index === 0
        ? server.post("/auth/register/verify", { phone, otp: codes.signUp }, headers)
        : server.post("/auth/login/otp", { phone, otp: codes.logIn }, headers),
    ),
  );
  const accounts = await accountsOf(database, phone);
  expect(loggedIn).toMatchObject({ status: 200 });
  const isOpenedByCode = loggedIn?.body.data?.created === true;
  expect(verified?.status).toBe(isOpenedByCode ? 409 : 200);
  expect(accounts).toEqual([{ id: userOf(loggedIn!), has_password: !isOpenedByCode }]);
});

test("a registration that is stored while a code opens the phone's account sets no password", async ({
  client,
  database,
  parallel,
  codeOf,
}) => {
  const phone = newPhone();
  const otp = await codeOf(phone);
  const answers = await raceBehindLock(database, await lockOf(database, phone), 2, () =>
    parallel(4, (server, headers, index) =>
      index === 1
        ? server.post("/auth/login/otp", { phone, otp }, headers)
        : server.post("/auth/register", { phone, password: goodPassword }, headers),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 201, 201]);
  expect((await client.post("/auth/login", { phone, password: goodPassword })).status).toBe(401);
  expect(await accountsOf(database, phone)).toEqual([{ id: userOf(answers[1]!), has_password: false }]);
  const waiting = await database.query("select from private.pending_registration where phone = $1", [phone]);
  expect(waiting).toEqual([]);
});

const makers = [
  [
    "an import",
    (phone: string) => ({
      text: `select private.import_user(row($1, null, null, null, null, sha256(convert_to($1, 'UTF8')), null, null)::private.imported_user, null)`,
      values: [phone],
    }),
  ],
  ["an admin", (phone: string) => ({ text: `select "user".create_account($1)`, values: [phone] })],
] as const;
test.for(makers)(
  "a code logs in to the account that %s makes at the same time",
  async ([, maker], { client, database, codeOf }) => {
    const phone = newPhone();
    const otp = await codeOf(phone);
    const answer = await raceBehindLock(database, maker(phone), 1, () =>
      client.post("/auth/login/otp", { phone, otp }),
    );
    expect(answer).toMatchObject({ status: 200, body: { data: { created: false } } });
    expect(await accountsOf(database, phone)).toEqual([{ id: userOf(answer), has_password: false }]);
  },
);

test("two registrations for one invitation open one account, and it admits no second one later", async ({
  service,
  client,
  database,
  parallel,
  codeOf,
}) => {
  const phone = newPhone();
  await database.query(`select "user".invite($1)`, [phone]);
  await service.set("REGISTRATION", "invited");
  await client.post("/auth/register", { phone, password: goodPassword });
  const codes = { signUp: await codeOf(phone, "SIGNUP"), logIn: await codeOf(phone) };
  const answers = await raceBehindLock(database, await lockOf(database, phone), 2, () =>
    parallel(2, (server, headers, index) =>
      index === 0
        ? server.post("/auth/register/verify", { phone, otp: codes.signUp }, headers)
        : server.post("/auth/login/otp", { phone, otp: codes.logIn }, headers),
    ),
  );
  const [account, ...others] = await accountsOf(database, phone);
  expect(others).toEqual([]);
  expect(count(answers, 200)).toBeGreaterThan(0);
  // Whoever has the phone next needs an invitation of their own.
  await database.query(`select "user".erase_account($1)`, [account!.id]);
  expect((await client.post("/auth/register", { phone, password: goodPassword })).status).toBe(201);
  const waiting = await database.query("select from private.pending_registration where phone = $1", [phone]);
  await service.set("REGISTRATION", "open");
  expect(waiting).toEqual([]);
});

test("a code that is typed while the phone's account is erased opens nothing", async ({
  client,
  database,
  newUser,
  codeOf,
}) => {
  const { phone } = await newUser();
  const otp = await codeOf(phone);
  const [account] = await accountsOf(database, phone);
  const erasure = { text: `select "user".erase_account($1)`, values: [account?.id] };
  const answer = await raceBehindLock(database, erasure, 1, () => client.post("/auth/login/otp", { phone, otp }));
  expect(answer.code).toBe("INVALID_OTP");
  expect(await accountsOf(database, phone)).toEqual([]);
});

test("accounts that one client opens at once are exactly as many as REGISTER_PER_IP allows", async ({
  service,
  client,
  database,
  parallel,
  gateway,
}) => {
  await service.set("OTP_SEND_TIMEOUT_SECONDS", 60);
  await service.set("REGISTER_PER_IP", "5/3600");
  const phones = Array.from({ length: 12 }, newPhone);
  const codes = await Promise.all(
    phones.map(async (phone, index) => {
      const from = { "x-forwarded-for": `10.5.0.${index}` };
      const [, otp] = await Promise.all([client.sendOtp(phone, "LOGIN", from), gateway.nextCode(phone)]);
      return { phone, otp };
    }),
  );
  const answers = await parallel(phones.length, (server, _headers, index) =>
    server.post("/auth/login/otp", codes[index], { "x-forwarded-for": "10.6.0.1" }),
  );
  expect(count(answers, 200)).toBe(5);
  expect(count(answers, "RATE_LIMIT_EXCEEDED")).toBe(7);
  const accounts = await database.query(`select from "user".account where phone = any ($1)`, [phones]);
  expect(accounts).toHaveLength(5);
});
