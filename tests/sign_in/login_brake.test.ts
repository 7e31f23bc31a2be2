import { expect } from "vitest";
import type { Answer } from "../../testing/service/rest_client.ts";
import { requestPasswordReset, goodPassword, newPhone, signUp, type Person } from "../../testing/service/people.ts";
import { test as baseTest } from "../../testing/fixtures.ts";

const test = baseTest
  .extend(
    "login",
    ({ client }) =>
      (person: Person, address: string) =>
        client.post("/auth/login", person, { "x-forwarded-for": address }),
  )
  .extend("fail", ({ login }) => async ({ phone }: Person, address: string, times: number) => {
    for (let guess = 0; guess < times; guess++) await login({ phone, password: `guess ${guess}` }, address);
  });

test("after ten failures a client is refused, with the right password too, and no other client is", async ({
  service,
  fail,
  login,
}) => {
  const person = await signUp(service);
  const began = performance.now();
  await fail(person, "10.0.0.1", 10);
  const refused = await login(person, "10.0.0.1");
  expect(refused).toMatchObject({ status: 429, code: "RATE_LIMIT_EXCEEDED" });
  const seconds = Number(refused.headers.get("retry-after"));
  expect(seconds).toBeGreaterThanOrEqual(900 - Math.ceil((performance.now() - began) / 1000));
  expect((await login(person, "10.0.0.2")).status).toBe(200);
  expect((await login(person, "10.0.0.1")).status, "another client's success clears nothing").toBe(429);
});

test("an unknown phone is refused in the same way", async ({ fail, login }) => {
  const nobody = { phone: newPhone(), password: goodPassword };
  await fail(nobody, "10.0.1.1", 10);
  expect((await login(nobody, "10.0.1.1")).status).toBe(429);
});

test("failures of many clients block a phone, except for a client from which it logged in before", async ({
  service,
  login,
  fail,
}) => {
  await service.set("LOGIN_FAILURES_PER_PHONE", "6/3600");
  const person = await signUp(service);
  expect((await login(person, "10.0.2.1")).status).toBe(200);
  for (let client = 10; client < 16; client++) await fail(person, `10.0.2.${client}`, 1);
  const stranger = await login(person, "10.0.2.99");
  expect(stranger.status, "a stranger").toBe(429);
  const sharing = await login({ ...person, password: "a guess" }, "10.0.2.1");
  const seen = ({ status, body }: Answer) => ({ status, policy: body.error?.details?.policy });
  expect(seen(sharing), "a stranger at the owner's address learns nothing of the owner").toEqual(seen(stranger));
  expect((await login(person, "10.0.2.1")).status, "the owner").toBe(200);
  await service.set("LOGIN_FAILURES_PER_PHONE", "100/3600");
});

test("a spent limit does not affect the reset, and a reset clears it", async ({ service, fail, client, login }) => {
  const person = await signUp(service);
  await fail(person, "10.0.3.1", 10);
  const otp = await requestPasswordReset(service, person.phone, { "x-forwarded-for": "10.0.3.1" });
  const newPassword = "a password after the reset";
  expect((await client.post("/auth/reset-password/verify", { phone: person.phone, otp, newPassword })).status).toBe(
    200,
  );
  expect((await login({ ...person, password: newPassword }, "10.0.3.1")).status).toBe(200);
});

test("an account logs in thirty times in five minutes, and no more from wherever", async ({ service, login }) => {
  const person = await signUp(service);
  for (let times = 0; times < 30; times++) expect((await login(person, "10.0.4.1")).status).toBe(200);
  const over = await login(person, "10.0.4.1");
  expect(over).toMatchObject({ status: 429, code: "RATE_LIMIT_EXCEEDED" });
  expect(over.body.error?.details).toMatchObject({ policy: "LOGINS_PER_PHONE", requests: 30, seconds: 300 });
  expect((await login(person, "10.0.4.2")).status).toBe(429);
  expect((await login({ ...person, password: "a guess" }, "10.0.4.2")).status, "a guess learns nothing").toBe(401);
});

test("a login re-hashes a password stored at another cost", async ({ service, database, login }) => {
  const person = await signUp(service);
  const cost = async () =>
    (
      await database.query<{ cost: string }>(
        `select substr(password_hash, 5, 2) as cost from "user".account where phone = $1`,
        [person.phone],
      )
    )[0]?.cost;
  expect(await cost()).toBe("04");
  await service.set("PASSWORD_HASH_COST", 5);
  await login({ ...person, password: "wrong" }, "10.0.5.1");
  expect(await cost(), "a wrong password changes nothing").toBe("04");
  expect((await login(person, "10.0.5.1")).status).toBe(200);
  expect(await cost()).toBe("05");
  expect((await login(person, "10.0.5.1")).status).toBe(200);
  await service.set("PASSWORD_HASH_COST", 4);
});
