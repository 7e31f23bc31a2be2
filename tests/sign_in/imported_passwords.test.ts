import { hashSync } from "bcryptjs";
import { expect } from "vitest";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { foreignHashes } from "../../testing/service/foreign_hashes.ts";
import { importUsers } from "../../testing/service/import_users.ts";
import { eventually } from "../../testing/eventually.ts";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";
import type { Service } from "../../testing/service/service.ts";
import { goodPassword, newPhone, signUp } from "../../testing/service/people.ts";

/** imported: a person whose bcrypt hash was imported. callsOf: how often the server calls api.log_in for a login. */
const test = baseTest
  .extend("databaseOptions", { scope: "file" }, () => ({ lockTimeout: "60s" }))
  .extend("imported", ({ database }) => async (hash = hashSync(goodPassword, 4)) => {
    const phone = newPhone();
    await importUsers(database, [{ phone, password_hash: hash }]);
    return { phone, password: goodPassword };
  })
  .extend("isNative", ({ database }) => async (phone: string) => {
    const [row] = await database.query<{ native: boolean }>(
      `select foreign_parameters is null and password_hash like '$2a$04$%' as native from "user".account where phone = $1`,
      [phone],
    );
    return row?.native;
  })
  .extend("callsOf", ({ service, client }) => async (person: object) => {
    // A bind message names its statement between two NULs, after the portal's empty name.
    const count = () => service.proxy.sent().split("\0log_in call\0").length;
    const before = count();
    const { status } = await client.post("/auth/login", person);
    return { status, calls: count() - before };
  });

test.for(foreignHashes)(
  "%s: a wrong password is refused, the right one logs in and is native afterwards",
  async ([, hashOf], { imported, client, isNative }) => {
    const person = await imported(await hashOf(goodPassword));
    const wrong = await client.post("/auth/login", { ...person, password: "a wrong one" });
    expect(wrong).toMatchObject({ status: 401, body: { error: { details: { reason: "login_refused" } } } });
    expect(await isNative(person.phone)).toBe(false);
    for (let login = 0; login < 2; login++) {
      expect((await client.post("/auth/login", person)).status).toBe(200);
      expect(await isNative(person.phone)).toBe(true);
    }
    expect((await client.post("/auth/login", { ...person, password: "a wrong one" })).status).toBe(401);
  },
);

test("the first login takes two calls, and later ones take one", async ({ imported, service, callsOf }) => {
  await service.database.query(`delete from "user".account`);
  const native = await signUp(service);
  await callsOf(native);
  expect(await callsOf(native), "without imported hashes").toEqual({ status: 200, calls: 1 });
  const person = await imported();
  await callsOf({ ...person, password: "a wrong one" });
  expect(await callsOf(person)).toEqual({ status: 200, calls: 2 });
  expect(await callsOf(person)).toEqual({ status: 200, calls: 1 });
});

test("a login to an unknown phone does the work of an account, imported or native", async ({
  imported,
  service,
  callsOf,
}) => {
  const unknown = { phone: newPhone(), password: "any" };
  await service.database.query(`delete from "user".account`);
  await signUp(service);
  await callsOf(unknown);
  expect(await callsOf(unknown)).toEqual({ status: 401, calls: 1 });
  await service.database.query(`delete from "user".account`);
  await imported();
  expect(await callsOf(unknown)).toEqual({ status: 401, calls: 2 });
});

test("an imported password changes the password", async ({ imported, service, client, isNative }) => {
  const person = await imported();
  const { access_token } = await openSession(service, person.phone);
  const change = (currentPassword: string) =>
    client.post("/auth/password", { currentPassword, newPassword: "a new phrase" }, bearer(access_token));
  expect((await change("a wrong one")).status).toBe(401);
  expect((await change(goodPassword)).status).toBe(200);
  expect(await isNative(person.phone)).toBe(true);
  expect((await client.post("/auth/login", person)).status).toBe(401);
  expect((await client.post("/auth/login", { ...person, password: "a new phrase" })).status).toBe(200);
});

test("an imported password authorizes a change of phone", async ({ imported, service, client }) => {
  const person = await imported();
  const { access_token } = await openSession(service, person.phone);
  const change = (password: string) =>
    client.post("/auth/phone", { newPhone: newPhone(), password }, bearer(access_token));
  expect((await change("a wrong one")).status).toBe(401);
  expect((await change(goodPassword)).status).toBe(200);
});

test("an imported password deletes the account", async ({ imported, service, client }) => {
  const person = await imported();
  const { access_token } = await openSession(service, person.phone);
  const remove = (password: string) => client.delete("/auth/account", { password }, bearer(access_token));
  expect((await remove("a wrong one")).status).toBe(401);
  expect((await remove(goodPassword)).status).toBe(200);
});

test("an export says that there is a password, and contains nothing of an imported hash", async ({
  imported,
  service,
  client,
}) => {
  const person = await imported();
  const { access_token } = await openSession(service, person.phone);
  const { body } = await client.get("/auth/account/export", bearer(access_token));
  expect(body.data).toMatchObject({ account: { has_password: true } });
  for (const part of ["$2", "foreign", "fingerprint"]) expect(JSON.stringify(body)).not.toContain(part);
});

test("two first logins at once, on two servers, are both admitted, and renew the hash once", async ({
  imported,
  service,
  client,
  database,
}) => {
  const person = await imported();
  await database.query(
    `create table public.renewal (phone text);
     create function public.note_renewal() returns trigger language plpgsql security definer as
       $$ begin insert into public.renewal values (new.phone); return null; end $$;
     create trigger note_renewal after update on "user".account for each row
       when (new.password_hash <> old.password_hash) execute function public.note_renewal()`,
  );
  const other = await service.startAnotherServer();
  const lock = { text: `select from "user".account where phone = $1 for update`, values: [person.phone] };
  const answers = await raceBehindLock(database, lock, 2, () =>
    Promise.all([client, other.client].map((server) => server.post("/auth/login", person))),
  );
  await other.stop();
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await database.query("select phone from public.renewal")).toEqual([{ phone: person.phone }]);
});

test("each wrong password of a burst is counted once, as for a native hash", async ({ imported, client }) => {
  const person = await imported();
  const headers = { "x-forwarded-for": "10.0.9.1" };
  for (let guess = 0; guess < 10; guess++)
    expect((await client.post("/auth/login", { ...person, password: `guess ${guess}` }, headers)).status).toBe(401);
  expect((await client.post("/auth/login", person, headers)).status).toBe(429);
});

test("a stored password of no known scheme is a fault, whose answer reveals nothing of it", async ({
  imported,
  database,
  client,
}) => {
  const person = await imported();
  await database.query(`update "user".account set foreign_parameters = '$md5$secret$16' where phone = $1`, [
    person.phone,
  ]);
  const answer = await client.post("/auth/login", person);
  expect(answer).toMatchObject({ status: 500, code: "INTERNAL_ERROR" });
  expect(JSON.stringify(answer.body)).not.toContain("md5");
  await database.query(`delete from "user".account where phone = $1`, [person.phone]);
});

test("a native login does not wait for dear imported hashes", async ({ startOtherService }) => {
  const other = await startOtherService({ env: { PASSWORD_POOL_SIZE: "2" } });
  const native = await signUp(other);
  // The most that an import takes: more than a second each. Their digests are those of no password.
  const dear = `$argon2id$v=19$m=131072,t=2,p=1$${"A".repeat(22)}$${"A".repeat(43)}`;
  const people = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const phone = newPhone();
      await importUsers(other.database, [{ phone, password_hash: dear }]);
      return { phone, password: goodPassword };
    }),
  );
  let ended = 0;
  const logins = people.map((person, index) =>
    other.client.post("/auth/login", person, { "x-forwarded-for": `10.9.0.${index}` }).finally(() => ended++),
  );
  await eventually(
    "each of them needs a digest",
    () => other.proxy.sent().split("\0log_in call\0").length > people.length,
  );
  const answer = await other.client.post("/auth/login", native, { "x-forwarded-for": "10.9.1.1" });
  expect([answer.status, ended]).toEqual([200, 0]);
  await Promise.all(logins);
});

/** Logs in by code, which leaves the imported hash as it is. */
async function openSession({ client, gateway }: Service, phone: string) {
  const [, otp] = await Promise.all([client.sendOtp(phone, "LOGIN"), gateway.nextCode(phone)]);
  return tokensOf(await client.post("/auth/login/otp", { phone, otp }));
}
