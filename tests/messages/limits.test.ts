import { expect } from "vitest";
import type { Answer } from "../../testing/service/rest_client.ts";
import { requestPasswordReset, goodPassword, newPhone, signUp } from "../../testing/service/people.ts";
import { test as baseTest } from "../../testing/fixtures.ts";

const test = baseTest
  .extend(
    "guest",
    ({ client }) =>
      (address: string) =>
        client.post("/auth/session/guest", undefined, from(address)),
  )
  .extend(
    "age",
    ({ database }) =>
      (key: string, interval: string) =>
        database.query(
          `update platform.rate_limit set hits = array(select hit - $2::interval from unnest(hits) hit) where key = $1`,
          [key, interval],
        ),
  );

const from = (address: string) => ({ "x-forwarded-for": address });

test("a refusal says after how many seconds to retry, also in the standard's header fields", async ({
  client,
  age,
}) => {
  const phone = newPhone();
  const began = performance.now();
  for (let sends = 0; sends < 3; sends++) await client.sendOtp(phone);
  const key = `OTP_SEND_PER_IDENTIFIER:${phone}`;
  await age(key, "1000 seconds");
  const { status, headers, body } = await client.sendOtp(phone);
  expect(status).toBe(429);
  const seconds = Number(headers.get("retry-after"));
  expect(seconds).toBeGreaterThanOrEqual(2600 - Math.ceil((performance.now() - began) / 1000));
  expect(seconds).toBeLessThanOrEqual(2600);
  expect(headers.get("ratelimit-policy")).toBe('"OTP_SEND_PER_IDENTIFIER";q=3;w=3600');
  expect(headers.get("ratelimit")).toBe(`"OTP_SEND_PER_IDENTIFIER";r=0;t=${seconds}`);
  expect(body.error?.details).toMatchObject({ retryAfterSeconds: seconds });

  // The window slides: after exactly these seconds the oldest send has left it, and only that one.
  await age(key, `${seconds} seconds`);
  expect((await client.sendOtp(phone)).status).toBe(200);
});

test("a refused request does not count, and one refused by a limit counts against no other", async ({
  service,
  client,
  database,
}) => {
  // On a slow machine the first send would leave a window of one second.
  await service.set("OTP_SEND_PER_IP", "10/3600");
  const phone = newPhone();
  for (let sends = 0; sends < 3; sends++) await client.sendOtp(phone, "SIGNUP", from("10.3.0.1"));
  await client.sendOtp(phone, "SIGNUP", from("10.3.0.1"));
  const rows = await database.query(
    "select cardinality(hits) as count from platform.rate_limit where key in ($1, 'OTP_SEND_PER_IP:10.3.0.1')",
    [`OTP_SEND_PER_IDENTIFIER:${phone}`],
  );
  expect(rows).toEqual([{ count: 3 }, { count: 3 }]);
  await service.set("OTP_SEND_PER_IP", "1000/1");
});

test("a limit changed by SQL applies to the next request", async ({ guest, service }) => {
  await service.set("GUEST_PER_IP", "off");
  expect((await guest("10.4.0.1")).status).toBe(200);
  await service.set("GUEST_PER_IP", "1/60");
  expect((await guest("10.4.0.1")).status).toBe(200);
  expect((await guest("10.4.0.1")).status).toBe(429);
  await service.set("GUEST_PER_IP", "off");
  expect((await guest("10.4.0.1")).status).toBe(200);
});

test.for<[string, string, string]>([
  ["IPv4-mapped IPv6 is its IPv4", "10.5.0.1", "::ffff:10.5.0.1"],
  ["IPv6 is its /64", "2001:db8:1:2::1", "2001:0db8:1:2:ffff:ffff:ffff:ffff"],
])("%s", async ([_rule, first, second], { service, guest }) => {
  await service.set("GUEST_PER_IP", "1/60");
  expect((await guest(first)).status).toBe(200);
  expect((await guest(second)).status).toBe(429);
  await service.set("GUEST_PER_IP", "off");
});

test("another /64 is another client", async ({ service, guest }) => {
  await service.set("GUEST_PER_IP", "1/60");
  expect((await guest("2001:db8:9:1::1")).status).toBe(200);
  expect((await guest("2001:db8:9:2::1")).status).toBe(200);
  await service.set("GUEST_PER_IP", "off");
});

test("a forwarded address counts only if a trusted proxy sends it", async ({ startOtherService }) => {
  const direct = await startOtherService({ env: { TRUST_PROXY: "off" } });
  // REGISTER_PER_IP, because guest sessions of a loopback address are not counted.
  await direct.set("REGISTER_PER_IP", "1/60");
  const registerFrom = (address: string) =>
    direct.client.post("/auth/register", { phone: newPhone(), password: goodPassword }, from(address));
  expect((await registerFrom("10.6.0.1")).status).toBe(201);
  expect((await registerFrom("10.6.0.2")).status).toBe(429);
});

test("over a limit a reset request still answers 200, sends nothing and leaves the live code", async ({
  service,
  client,
  database,
}) => {
  const person = await signUp(service);
  const ask = () => client.post("/auth/reset-password", { phone: person.phone }, from("10.7.0.1"));
  let otp = "";
  for (let sends = 0; sends < 3; sends++) otp = await requestPasswordReset(service, person.phone, from("10.7.0.1"));
  const over = await ask();
  expect(over.status).toBe(200);
  expect(over.headers.get("retry-after")).toBeNull();
  const otps = await database.query(
    "select from platform.otp_transaction where identifier = $1 and purpose = 'PASSWORD_RESET'",
    [person.phone],
  );
  expect(otps.length).toBe(3);
  const answer = await client.post("/auth/reset-password/verify", {
    phone: person.phone,
    otp,
    newPassword: "a password that is new",
  });
  expect(answer.status).toBe(200);
});

test("verifying is limited per identifier, purpose and client: a stranger cannot block a code that was just delivered", async ({
  client,
  gateway,
}) => {
  const phone = newPhone();
  await client.post("/auth/register", { phone, password: goodPassword });
  const verify = (address: string, otp = "123456") =>
    client.post("/auth/register/verify", { phone, otp }, from(address));
  for (let guesses = 0; guesses < 5; guesses++) expect((await verify("10.8.0.1")).code).toBe("INVALID_OTP");
  expect((await verify("10.8.0.2")).code).toBe("MAX_ATTEMPTS_REACHED");

  const [, otp] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  expect((await verify("10.8.0.1", otp)).code).toBe("RATE_LIMIT_EXCEEDED");
  expect((await verify("10.8.0.2", otp)).status).toBe(200);
});

test("a client opens 600 guest sessions a minute, and no more in any minute", async ({ service, guest, database }) => {
  await service.set("GUEST_PER_IP", "600/60");
  const answers: Answer[] = [];
  // Fewer at once than the queue for guest sessions accepts.
  while (answers.length < 605)
    answers.push(...(await Promise.all(Array.from({ length: 55 }, () => guest("10.9.0.1")))));
  expect(answers.filter(({ status }) => status === 200).length).toBe(600);
  expect(answers.filter(({ status }) => status === 429).length).toBe(5);
  const [row] = await database.query<{ entries: number }>(
    "select cardinality(hits) as entries from platform.rate_limit where key = 'GUEST_PER_IP:10.9.0.1'",
  );
  expect(row?.entries, "counted in few entries").toBeLessThanOrEqual(61);
});
