import { decodeJwt } from "jose";
import { expect } from "vitest";
import { tokensOf, type Answer } from "../../testing/service/rest_client.ts";
import { eventually } from "../../testing/eventually.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { blockedConnections, raceBehindLock } from "../../testing/postgres/lock_race.ts";
import type { TestDatabase } from "../../testing/postgres/test_database.ts";
import { clearRateLimits, goodPassword, logIn, newPhone, signUp } from "../../testing/service/people.ts";

const test = baseTest
  .extend("databaseOptions", { scope: "file" }, () => ({ lockTimeout: "60s" }))
  .extend("recycled", { scope: "file" }, async ({ service }) => {
    await service.set("PHONE_RECYCLED_AFTER_DAYS", 90);
  })
  /** Moves the last use of a phone's account, and its sessions, back in time. */
  .extend("leaveUnused", ({ database }) => async (phone: string, days: number) => {
    await database.query(
      `update "user".session s set created_at = s.created_at - make_interval(days => $2),
         rotated_at = s.rotated_at - make_interval(days => $2)
       from "user".account a where a.id = s.user_id and a.phone = $1`,
      [phone, days],
    );
    await database.query(`update "user".account set last_used_on = last_used_on - $2::integer where phone = $1`, [
      phone,
      days,
    ]);
  })
  .extend("logInByCode", ({ service, client, gateway }) => async (phone: string) => {
    await clearRateLimits(service, phone);
    const [, otp] = await Promise.all([client.sendOtp(phone, "LOGIN"), gateway.nextCode(phone)]);
    return client.post("/auth/login/otp", { phone, otp });
  });

test("a code alone does not open an account that was not used for a long time; its password does, and a code afterwards", async ({
  recycled: _recycled,
  service,
  client,
  database,
  leaveUnused,
  logInByCode,
}) => {
  await service.set("SIGNUP_BY_CODE", "off");
  const person = await signUp(service);
  await leaveUnused(person.phone, 91);
  expect((await logInByCode(person.phone)).code).toBe("INVALID_OTP");
  await service.set("SIGNUP_BY_CODE", "on");

  expect((await client.post("/auth/reset-password", { phone: person.phone })).status).toBe(200);
  await eventually("the worker has dropped the reset", async () => {
    const rows = await database.query(
      "select from platform.otp_transaction where identifier = $1 and purpose = 'PASSWORD_RESET' and delivery = 'dropped'",
      [person.phone],
    );
    return rows.length === 1;
  });
  expect((await client.post("/auth/login", person)).status).toBe(200);
  expect((await logInByCode(person.phone)).status).toBe(200);
});

test("a refresh is a use", async ({ recycled: _recycled, service, client, leaveUnused, logInByCode }) => {
  const person = await signUp(service);
  const { refresh_token } = await logIn(service, person);
  await leaveUnused(person.phone, 91);
  expect((await client.refresh(refresh_token)).status).toBe(200);
  expect((await logInByCode(person.phone)).status).toBe(200);
});

test("a person who registers a recycled number gets a new account, and nobody can open the old one", async ({
  recycled: _recycled,
  service,
  client,
  database,
  leaveUnused,
}) => {
  const phone = newPhone();
  const person = await signUp(service, phone);
  const { refresh_token } = await logIn(service, person);
  const [old] = await database.query<{ id: string }>(`select id from "user".account where phone = $1`, [phone]);
  await leaveUnused(phone, 91);
  const newcomer = await signUp(service, phone, "the newcomer's password");

  expect((await client.post("/auth/login", newcomer)).status).toBe(200);
  expect((await client.post("/auth/login", person)).status).toBe(401);
  expect((await client.refresh(refresh_token)).code).toBe("SESSION_REVOKED");
  const accounts = await database.query(
    `select phone, id = $1 as is_old from "user".account where id = $1 or phone = $2 order by is_old`,
    [old!.id, phone],
  );
  expect(accounts).toEqual([
    { phone, is_old: false },
    { phone: null, is_old: true },
  ]);
});

test("a person who signs up by a code for a recycled number gets a new account, and nobody can open the old one", async ({
  recycled: _recycled,
  service,
  client,
  database,
  leaveUnused,
  logInByCode,
}) => {
  const person = await signUp(service);
  const { refresh_token } = await logIn(service, person);
  await leaveUnused(person.phone, 91);
  const signedUp = await logInByCode(person.phone);
  expect(signedUp).toMatchObject({ status: 200, body: { data: { created: true } } });

  expect((await client.post("/auth/login", person)).status).toBe(401);
  expect((await client.refresh(refresh_token)).code).toBe("SESSION_REVOKED");
  const { sub } = decodeJwt(tokensOf(signedUp).access_token);
  const accounts = await database.query(`select id from "user".account where phone = $1`, [person.phone]);
  expect(accounts).toEqual([{ id: sub }]);
  expect((await logInByCode(person.phone)).body.data).toMatchObject({ created: false });
});

test("registering changes nothing while the number is in use, nor before its code is typed", async ({
  recycled: _recycled,
  service,
  client,
  leaveUnused,
}) => {
  const person = await signUp(service);
  await leaveUnused(person.phone, 90);
  await client.post("/auth/register", { phone: person.phone, password: "a stranger's password" });
  await leaveUnused(person.phone, 1);
  await client.post("/auth/register", { phone: person.phone, password: "a stranger's password" });
  expect((await client.post("/auth/login", { ...person, password: goodPassword })).status).toBe(200);
});

/** Waits until a call waits for a locked row on the connections for that. */
const waitsForGood = (database: TestDatabase): Promise<unknown> =>
  eventually("a call waits for the locked row", async () => {
    const rows = await database.query(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and application_name = 'latchkey server locked'
         -- Not for a try of its own that is being cancelled: it would then not be the first in the queue for the
         -- account.
         and not exists (
           select from pg_stat_activity o where o.pid = any (pg_blocking_pids(pg_stat_activity.pid)) and o.application_name like 'latchkey%'
         )`,
    );
    return rows.length === 1;
  });

test("of a login and a new holder's verification at once, the first one gets the number and the other one opens no session", async ({
  recycled: _recycled,
  service,
  client,
  gateway,
  database,
  leaveUnused,
}) => {
  const race = async (isLoginFirst: boolean) => {
    const person = await signUp(service);
    const { phone } = person;
    await leaveUnused(phone, 91);
    await client.post("/auth/register", { phone, password: "the newcomer's password" });
    const [, otp] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
    const logIn = () => client.post("/auth/login", person);
    const verify = () => client.post("/auth/register/verify", { phone, otp });
    const account = { text: `select from "user".account where phone = $1 for update`, values: [phone] };
    // Both have read the account before the first one continues: they wait for its row in this order.
    let second: Promise<Answer> | undefined;
    const first = await raceBehindLock(database, account, 1, isLoginFirst ? logIn : verify, async () => {
      // A verification fails on the locked row twice, in its batch and when it is retried alone, before it waits for
      // the lock.
      if (!isLoginFirst) await waitsForGood(database);
      second = (isLoginFirst ? verify : logIn)();
      await blockedConnections(database, 2);
    });
    return [first, await second!] as const;
  };

  const [login, lateVerification] = await race(true);
  expect(login.status).toBe(200);
  expect(lateVerification.body).toMatchObject({ error: { details: { reason: "already_registered" } } });
  expect((await client.refresh(tokensOf(login).refresh_token)).status).toBe(200);

  const [verification, lateLogin] = await race(false);
  expect(verification.status).toBe(200);
  expect(lateLogin.body).toMatchObject({ error: { details: { reason: "login_refused" } } });
});
