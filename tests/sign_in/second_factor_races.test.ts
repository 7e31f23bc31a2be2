import { expect } from "vitest";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { bearer } from "../../testing/service/rest_client.ts";
import { signUp, type Person } from "../../testing/service/people.ts";
import { enrol, logInFirst, totp } from "../fixtures/factor_fixtures.ts";
import { count, serverCount, test as baseTest } from "../fixtures/race_fixtures.ts";

const test = baseTest.extend("enrolled", async ({ service }) => enrol(service, await signUp(service)));

const accountLock = ({ phone }: Person) => ({
  text: `select from "user".account where phone = $1 for update`,
  values: [phone],
});

test("twenty right codes of one step open one session", async ({ service, database, parallel, enrolled }) => {
  await service.set("FACTOR_FAILURES_PER_USER", "100/900");
  const challenges: string[] = [];
  while (challenges.length < 20) challenges.push(await logInFirst(service, enrolled));
  const code = totp(enrolled.secret);
  const answers = await raceBehindLock(database, accountLock(enrolled), serverCount, () =>
    parallel(20, (client, headers, index) =>
      client.post("/auth/login/factor", { challenge_id: challenges[index], code }, headers),
    ),
  );
  expect([count(answers, 200), count(answers, "INVALID_OTP")]).toEqual([1, 19]);
  await service.set("FACTOR_FAILURES_PER_USER", "10/900");
});

test("ten recovery codes for one challenge open one session, and one is used up", async ({
  service,
  database,
  parallel,
  enrolled,
}) => {
  const challenge_id = await logInFirst(service, enrolled);
  const answers = await raceBehindLock(database, accountLock(enrolled), serverCount, () =>
    parallel(10, (client, headers, index) =>
      client.post("/auth/login/factor", { challenge_id, recovery_code: enrolled.recoveryCodes[index] }, headers),
    ),
  );
  expect([count(answers, 200), count(answers, "INVALID_OTP")]).toEqual([1, 9]);
  const [used] = await database.query<{ count: number }>(
    `select count(c.used_at)::integer as count from private.recovery_code c join "user".account a on a.id = c.user_id where a.phone = $1`,
    [enrolled.phone],
  );
  expect(used?.count).toBe(1);
});

test("twenty wrong answers at once count as five at a challenge", async ({ service, database, parallel, enrolled }) => {
  const challenge_id = await logInFirst(service, enrolled);
  const answers = await raceBehindLock(database, accountLock(enrolled), serverCount, () =>
    parallel(20, (client, headers) =>
      client.post("/auth/login/factor", { challenge_id, recovery_code: "0000000000" }, headers),
    ),
  );
  expect([count(answers, "INVALID_OTP"), count(answers, "MAX_ATTEMPTS_REACHED")]).toEqual([5, 15]);
});

test("a factor that is removed while its login waits opens nothing", async ({ service, database, enrolled }) => {
  const { client } = service;
  const challenge_id = await logInFirst(service, enrolled);
  // The transaction that the login waits for removes the factor.
  const removal = {
    text: `with locked as materialized (select a from "user".account a where a.phone = $1 for no key update)
           select f.id from locked l, private.delete_factors(l.a, array[$2::uuid], '{}', '') f`,
    values: [enrolled.phone, enrolled.factorId],
  };
  const login = await raceBehindLock(database, removal, 1, () =>
    client.post("/auth/login/factor", { challenge_id, code: totp(enrolled.secret) }),
  );
  expect(login.code).toBe("INVALID_OTP");
});

test("a session whose account is deleted while its step-up waits gets no new tokens", async ({
  service,
  database,
  enrolled,
}) => {
  const { client } = service;
  const deletion = {
    text: `select private.schedule_deletion(a.id) from "user".account a where a.phone = $1`,
    values: [enrolled.phone],
  };
  const stepUp = await raceBehindLock(database, deletion, 1, () =>
    client.post("/auth/session/step-up", { code: totp(enrolled.secret) }, bearer(enrolled.tokens.access_token)),
  );
  expect(stepUp.code).toBe("SESSION_REVOKED");
});
