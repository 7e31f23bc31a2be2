import { expect } from "vitest";
import { bearer, tokensOf, type Tokens } from "../../testing/service/rest_client.ts";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { logIn, signUp, type Person } from "../../testing/service/people.ts";
import { count, serverCount, test as baseTest } from "../fixtures/race_fixtures.ts";

const test = baseTest.extend("live", ({ database }) => async ({ phone }: Person) => {
  const rows = await database.query<{ id: string }>(
    `select s.id from "user".session s join "user".account a on a.id = s.user_id
     where a.phone = $1 and s.revoked_at is null and s.refresh_token_expires_at > now() order by s.created_at`,
    [phone],
  );
  return rows.map(({ id }) => id);
});
test.afterEach(async ({ service }) => {
  for (const key of ["SESSIONS_PER_USER", "SESSION_MAX_SECONDS", "SESSION_IDLE_SECONDS"]) await service.set(key, "off");
  await service.set("REFRESH_REUSE_POLICY", "revoke");
});

test("with SESSIONS_PER_USER a login revokes the oldest session", async ({ service, client, live }) => {
  const person = await signUp(service);
  const [first, second] = [await logIn(service, person), await logIn(service, person)];
  await service.set("SESSIONS_PER_USER", 2);
  const third = await logIn(service, person);
  expect(await live(person)).toEqual([second.session_id, third.session_id]);
  expect((await client.get("/auth/session", bearer(first.access_token))).code).toBe("SESSION_REVOKED");
});

test("logins at once leave no more sessions than SESSIONS_PER_USER", async ({ service, database, parallel, live }) => {
  const person = await signUp(service);
  await service.set("SESSIONS_PER_USER", 2);
  const account = { text: `select from "user".account where phone = $1 for update`, values: [person.phone] };
  const answers = await raceBehindLock(database, account, serverCount, () =>
    parallel(8, (client, headers) => client.post("/auth/login", person, headers)),
  );
  expect(count(answers, 200)).toBe(8);
  expect(await live(person)).toHaveLength(2);
});

test("sessions that the admin opens at once are no more either", async ({ service, database, live }) => {
  const person = await signUp(service);
  await service.set("SESSIONS_PER_USER", 1);
  const account = { text: `select from "user".account where phone = $1 for update`, values: [person.phone] };
  await raceBehindLock(database, account, 2, () =>
    Promise.all(
      [1, 2].map(() =>
        database.query(`insert into "user".session (user_id) select id from "user".account where phone = $1`, [
          person.phone,
        ]),
      ),
    ),
  );
  expect(await live(person)).toHaveLength(1);
});

test("SESSION_MAX_SECONDS ends a session however often it is refreshed", async ({ service, client, database }) => {
  await service.set("SESSION_MAX_SECONDS", 7_200);
  const session = await logIn(service, await signUp(service));
  await database.query(`update "user".session set created_at = created_at - interval '90 minutes' where id = $1`, [
    session.session_id,
  ]);
  const answer = await client.refresh(session.refresh_token);
  expect(Date.parse(String(answer.body.data?.expires_at)) - Date.now()).toBeLessThan(1_800_000);
  await service.set("SESSION_MAX_SECONDS", 3_600);
  const late = await client.refresh(tokensOf(answer).refresh_token);
  expect(late).toMatchObject({ status: 401, code: "SESSION_NOT_FOUND" });
});

test("SESSION_IDLE_SECONDS ends a session that is not refreshed, also for its access token", async ({
  service,
  client,
  database,
}) => {
  await service.set("SESSION_IDLE_SECONDS", 60);
  const session = await logIn(service, await signUp(service));
  const authorize = () => client.get("/auth/session", bearer(session.access_token));
  expect((await authorize()).status).toBe(200);
  await database.query(
    `update "user".session set refresh_token_expires_at = refresh_token_expires_at - interval '1 minute' where id = $1`,
    [session.session_id],
  );
  expect(await authorize()).toMatchObject({ status: 401, code: "SESSION_NOT_FOUND" });
});

test.for([
  ["revoke", "the same", "SESSION_REVOKED", 401],
  ["refuse", "the same", "SESSION_NOT_FOUND", 200],
  ["refuse", "another", "SESSION_NOT_FOUND", 200],
  ["same-client", "the same", "SESSION_NOT_FOUND", 200],
  ["same-client", "another", "SESSION_REVOKED", 401],
] as const)(
  "REFRESH_REUSE_POLICY %s: a replaced token from %s client is %s",
  async ([policy, who, code, afterwards], { service, client }) => {
    await service.set("REFRESH_REUSE_POLICY", policy);
    const agent = (name: string) => ({ "user-agent": name });
    const refresh = ({ refresh_token }: Tokens, name: string) =>
      client.post("/auth/session/refresh", { refresh_token }, { ...bearer(refresh_token), ...agent(name) });
    const first = tokensOf(await client.post("/auth/session/guest", undefined, agent("the same")));
    const second = tokensOf(await refresh(first, "the same"));
    const third = tokensOf(await refresh(second, "the same"));
    const reused = await refresh(first, who);
    expect(reused).toMatchObject({ status: 401, code });
    if (code === "SESSION_NOT_FOUND") expect(reused.body.error?.details).toEqual({ reason: "token_replaced" });
    expect((await refresh(third, "the same")).status).toBe(afterwards);
  },
);
