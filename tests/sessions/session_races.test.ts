import { decodeJwt } from "jose";
import { expect } from "vitest";
import { tokensOf, type Answer } from "../../testing/service/rest_client.ts";
import { requestPasswordReset, logIn, signUp } from "../../testing/service/people.ts";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { count, serverCount, test } from "../fixtures/race_fixtures.ts";

test("parallel refreshes all get working tokens of the same session, by one rotation", async ({
  service,
  database,
  parallel,
}) => {
  const { refresh_token, session_id } = await logIn(service, await signUp(service));
  const session = { text: `select from "user".session where id = $1 for update`, values: [session_id] };
  const answers = await raceBehindLock(database, session, serverCount, () =>
    parallel(4, (client) => client.refresh(refresh_token)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(answers.map((answer) => idOf(tokensOf(answer).refresh_token))).size).toBe(1);
  for (const answer of answers) {
    expect(tokensOf(answer).session_id).toBe(session_id);
    expect((await service.client.refresh(tokensOf(answer).refresh_token)).status).toBe(200);
  }
});

const idOf = (token: string): unknown => decodeJwt(token).jti;

test("no login with the old password outlives a reset at the same time, and the new password stays", async ({
  service,
  client,
  database,
  parallel,
}) => {
  // A slower hash, so that many logins are in the middle of it when the reset commits.
  await service.set("PASSWORD_HASH_COST", 8);
  await service.set("LOGIN_FAILURES_PER_PHONE", "off");
  const person = await signUp(service);
  const otp = await requestPasswordReset(service, person.phone);
  const newPassword = "the password after the reset";

  const [reset, logins] = await Promise.all([
    client.post("/auth/reset-password/verify", { phone: person.phone, otp, newPassword }),
    parallel(30, (server, _headers, index) =>
      server.post("/auth/login", person, { "x-forwarded-for": `10.1.0.${index}` }),
    ),
  ]);
  expect(reset.status).toBe(200);
  for (const login of logins) {
    expect([200, 401, 503]).toContain(login.status);
    if (login.status === 200)
      expect((await client.refresh(tokensOf(login).refresh_token)).code).toBe("SESSION_REVOKED");
  }
  const live = await database.query(
    `select from "user".session s join "user".account a on a.id = s.user_id where a.phone = $1 and s.revoked_at is null`,
    [person.phone],
  );
  expect(live).toEqual([]);
  expect((await client.post("/auth/login", person)).status).toBe(401);
  expect((await client.post("/auth/login", { phone: person.phone, password: newPassword })).status).toBe(200);
  await service.set("PASSWORD_HASH_COST", 4);
});

test("40 parallel wrong passwords get no more than ten verdicts", async ({ service, parallel }) => {
  const { phone } = await signUp(service);
  const headers = (index: number) => ({ "x-forwarded-for": index % 2 ? "10.2.0.1" : "::ffff:10.2.0.1" });
  const answers: Answer[] = [];
  // Four at once, because further calls of one client are refused before they reach the database.
  for (let round = 0; round < 10; round++) {
    answers.push(
      ...(await parallel(4, (client, _own, index) =>
        client.post("/auth/login", { phone, password: `guess ${index}` }, headers(index)),
      )),
    );
  }
  expect(count(answers, 401)).toBe(10);
  expect(count(answers, "RATE_LIMIT_EXCEEDED")).toBe(30);
});
