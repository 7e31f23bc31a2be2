import { expect } from "vitest";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { clearRateLimits, goodPassword, logIn, signUp, type Person } from "../../testing/service/people.ts";
import type { TestDatabase } from "../../testing/postgres/test_database.ts";
import { count, serverCount, test } from "../fixtures/race_fixtures.ts";

const accountLock = ({ phone }: Person) => ({
  text: `select from "user".account where phone = $1 for update`,
  values: [phone],
});

const stateOf = async (database: TestDatabase, { phone }: Person) => {
  const [state] = await database.query<{ is_deleted: boolean; live: number }>(
    `select a.deletion_due_at is not null as is_deleted,
       (select count(*)::integer from "user".session s where s.user_id = a.id and s.revoked_at is null) as live
     from "user".account a where a.phone = $1`,
    [phone],
  );
  return state;
};

test("a deletion and logins at once leave a restored account with sessions, or a deleted one with none", async ({
  service,
  client,
  database,
  parallel,
}) => {
  for (let round = 0; round < 5; round++) {
    const person = await signUp(service);
    const { access_token } = await logIn(service, person);
    const [deleted, logins] = await raceBehindLock(database, accountLock(person), serverCount, () =>
      Promise.all([
        client.delete("/auth/account", { password: goodPassword }, bearer(access_token)),
        parallel(serverCount - 1, (server, headers) => server.post("/auth/login", person, headers)),
      ]),
    );
    expect(deleted.status).toBe(200);
    expect(count(logins, 200)).toBe(serverCount - 1);
    const state = await stateOf(database, person);
    const restored = logins.filter(({ body }) => body.data?.restored === true);
    expect(restored.length).toBeLessThanOrEqual(1);
    expect(state?.is_deleted).toBe(restored.length === 0);
    if (state?.is_deleted) expect(state.live).toBe(0);
    else expect(state?.live).toBeGreaterThan(0);
  }
});

test("no login opens a session of an account that is disabled at the same time", async ({
  service,
  database,
  parallel,
}) => {
  const person = await signUp(service);
  const logins = await raceBehindLock(database, accountLock(person), serverCount, () =>
    Promise.all([
      database.query(`select "user".disable_account(id, 'spam') from "user".account where phone = $1`, [person.phone]),
      parallel(serverCount - 1, (server, headers) => server.post("/auth/login", person, headers)),
    ]),
  );
  for (const login of logins[1]) expect([200, 401]).toContain(login.status);
  expect((await stateOf(database, person))?.live).toBe(0);
});

test("no refresh at the same time as a disabling keeps a session alive", async ({
  service,
  client,
  database,
  parallel,
}) => {
  const person = await signUp(service);
  const sessions = await Promise.all(Array.from({ length: serverCount }, () => logIn(service, person)));
  const lock = {
    text: `select from "user".session s join "user".account a on a.id = s.user_id where a.phone = $1 for update`,
    values: [person.phone],
  };
  const [, refreshes] = await raceBehindLock(database, lock, serverCount, () =>
    Promise.all([
      database.query(`select "user".disable_account(id, 'spam') from "user".account where phone = $1`, [person.phone]),
      parallel(serverCount, (server, _headers, index) => server.refresh(sessions[index]!.refresh_token)),
    ]),
  );
  for (const [index, refresh] of refreshes.entries()) {
    expect(refresh.status === 200 || refresh.code === "SESSION_REVOKED").toBe(true);
    const { refresh_token } = refresh.status === 200 ? tokensOf(refresh) : sessions[index]!;
    expect((await client.refresh(refresh_token)).code).toBe("SESSION_REVOKED");
  }
  expect((await stateOf(database, person))?.live).toBe(0);
});

test("a login at the same time as an erasure finds the account or none, and leaves no rows", async ({
  service,
  client,
  database,
  parallel,
}) => {
  const person = await signUp(service);
  const [, logins] = await raceBehindLock(database, accountLock(person), serverCount, () =>
    Promise.all([
      database.query(`select private.erase_account(id) from "user".account where phone = $1`, [person.phone]),
      parallel(serverCount - 1, (server, headers) => server.post("/auth/login", person, headers)),
    ]),
  );
  for (const login of logins) {
    expect([200, 401]).toContain(login.status);
    if (login.status === 200)
      expect((await client.refresh(tokensOf(login).refresh_token)).code).toBe("SESSION_NOT_FOUND");
  }
  expect(await stateOf(database, person)).toBeUndefined();
  await clearRateLimits(service, person.phone);
  expect((await signUp(service, person.phone)).phone).toBe(person.phone);
});

test("registrations, verifications and sends at the same time as an erasure cause no deadlock", async ({
  service,
  database,
  parallel,
}) => {
  const person = await signUp(service);
  const lock = {
    text: "select from private.verification_state where identifier = $1 for update",
    values: [person.phone],
  };
  const [, answers] = await raceBehindLock(database, lock, serverCount, () =>
    Promise.all([
      database.query(`select private.erase_account(id) from "user".account where phone = $1`, [person.phone]),
      parallel(serverCount * 3, (server, headers, index) =>
        [
          () => server.post("/auth/register", person, headers),
          () => server.post("/auth/register/verify", { phone: person.phone, otp: "000000" }, headers),
          () => server.post("/auth/reset-password", { phone: person.phone }, headers),
        ][index % 3]!(),
      ),
    ]),
  );
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  expect(await stateOf(database, person)).toBeUndefined();
});

test("a login that restores an account while the clean-up waits to erase it keeps the account", async ({
  service,
  client,
  database,
}) => {
  const person = await signUp(service);
  await database.query(`update "user".account set deletion_due_at = now() - interval '1 day' where phone = $1`, [
    person.phone,
  ]);
  const restore = {
    text: `update "user".account set deletion_due_at = null where phone = $1`,
    values: [person.phone],
  };
  await raceBehindLock(database, restore, 1, () => database.query("select delivery.erase_due_account(0)"));
  expect((await client.post("/auth/login", person)).status).toBe(200);
});
