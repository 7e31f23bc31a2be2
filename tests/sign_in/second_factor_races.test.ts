import { expect } from "vitest";
import { signUp } from "../../testing/service/people.ts";
import { bearer } from "../../testing/service/rest_client.ts";
import { test, totp } from "../fixtures/factor_fixtures.ts";

const times = <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

test("twenty right codes of one step open one session", async ({ client, database, logInFirst, enrolled }) => {
  const challenges: string[] = [];
  for (let index = 0; index < 20; index++) challenges.push(await logInFirst(enrolled));
  // Enough for all of them: each replay counts as a wrong code.
  await database.query(
    `insert into settings.configuration (key, value) values ('FACTOR_FAILURES_PER_USER', '"100/900"')
     on conflict (key) do update set value = excluded.value`,
  );
  const code = totp(enrolled.secret);
  const answers = await times(20, (index) =>
    client.post("/auth/login/factor", { challenge_id: challenges[index], code }),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(400)]);
});

test("twenty answers of one challenge open one session", async ({ client, logInFirst, enrolled }) => {
  const challenge_id = await logInFirst(enrolled);
  const [first = "", second = ""] = enrolled.recoveryCodes;
  const answers = await times(20, (index) =>
    client.post("/auth/login/factor", { challenge_id, recovery_code: index % 2 === 0 ? first : second }),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("a factor that is removed while its login is under way opens nothing afterwards", async ({
  service,
  client,
  logInFirst,
  enrol,
}) => {
  for (let round = 0; round < 5; round++) {
    const enrolled = await enrol(await signUp(service));
    const challenge_id = await logInFirst(enrolled);
    const [removed, login] = await Promise.all([
      client.delete(`/auth/factors/${enrolled.factorId}`, undefined, bearer(enrolled.tokens.access_token)),
      client.post("/auth/login/factor", { challenge_id, code: totp(enrolled.secret) }),
    ]);
    expect(removed.status).toBe(200);
    expect([200, 400]).toContain(login.status);
    const again = await client.post("/auth/login/factor", { challenge_id, code: totp(enrolled.secret, 1) });
    expect(again.code).toBe("INVALID_OTP");
  }
});
