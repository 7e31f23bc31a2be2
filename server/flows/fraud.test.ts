import { expect } from "vitest";
import { serverConfig } from "../../config/config.ts";
import { bearer, type Answer } from "../../testing/client.ts";
import { eventually } from "../../testing/eventually.ts";
import { logIn, newPhone, signUp } from "../../testing/people.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { askGraphql } from "../../testing/graphql_client.ts";

const from = (client: string) => ({ "x-forwarded-for": client });
const home = from("198.51.100.1");
const stranger = from("198.51.100.2");

const test = baseTest
  /** Stores a rule's default with these members. */
  .extend("setRule", ({ service, database }) => async (key: string, members: object) => {
    const [row] = await database.query<{ value: object }>(
      "select default_value as value from private.setting_definition where key = $1",
      [key],
    );
    await service.set(key, { ...row!.value, ...members });
  })
  /** The decisions about sends, the latest first. */
  .extend("decisions", ({ database }) => async () => {
    return database.query<Record<string, unknown>>(
      "select *, at::text from platform.send_decision order by send_decision.at desc, id desc",
    );
  });

test.beforeEach(async ({ gateway, database }) => {
  gateway.behave(200);
  await database.query(`
    update settings.configuration c set value = d.default_value
    from private.setting_definition d where d.key = c.key and d.kind = 'fraud rule';
    delete from platform.rate_limit; delete from platform.otp_transaction;
    delete from platform.send_decision; delete from private.send_count`);
});

const varying = ["timestamp", "duration", "otpId", "expiresAt", "retryAfterSeconds"];

/** What a client sees of an answer, with ids and times replaced. */
const visible = ({ status, headers, body }: Answer) => ({
  status,
  names: [...headers.keys()].sort(),
  text: JSON.stringify(body, (key, value: unknown) => (varying.includes(key) ? "…" : value)),
});

test("a rule that records lets the SMS through and is recorded, without the phone", async ({
  service: { client, gateway },
  setRule,
  decisions,
}) => {
  await setRule("FRAUD_CALLING_CODES", { mode: "record", blocked: ["+1212"] });
  const phone = newPhone();
  const [answer] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  expect(answer.status).toBe(200);
  const [decision] = await decisions();
  expect(decision).toMatchObject({
    ...{ prefix: "+12125", country: "US", client: "127.0.0.1", purpose: "SIGNUP" },
    ...{ verdict: "recorded", rule: "FRAUD_CALLING_CODES", otp_id: answer.body.data?.otpId },
  });
  expect(JSON.stringify(decision)).not.toContain(phone.slice(1));
});

test("a rule that is enforced refuses before anything is queued, and gives the send back to the phone", async ({
  service: { client, gateway },
  database,
  setRule,
  decisions,
}) => {
  await setRule("FRAUD_CALLING_CODES", { mode: "enforce", blocked: ["+1212"] });
  const [phone, before] = [newPhone(), gateway.received.length];
  // More than OTP_SEND_PER_IDENTIFIER allows.
  for (let n = 0; n < 4; n++) {
    const { status, headers, body } = await client.sendOtp(phone);
    expect(status).toBe(429);
    expect(body.error).toMatchObject({
      code: "RATE_LIMIT_EXCEEDED",
      details: { policy: "FRAUD_CALLING_CODES", retryAfterSeconds: 3600 },
    });
    expect(headers.get("retry-after")).toBe("3600");
    expect(headers.get("ratelimit-policy")).toBeNull();
  }
  expect(await database.query("select from platform.otp_transaction")).toEqual([]);
  expect((await decisions()).map(({ verdict, otp_id }) => [verdict, otp_id])).toEqual(
    Array.from({ length: 4 }, () => ["refused", null]),
  );
  expect(gateway.received.length).toBe(before);
});

test("refusals stay counted for the client, so that one client cannot make the service write without end", async ({
  service: { client },
  service,
  setRule,
  decisions,
}) => {
  await setRule("FRAUD_CALLING_CODES", { mode: "enforce", blocked: ["+1212"] });
  await service.set("OTP_SEND_PER_IP", "3/3600");
  const policies: unknown[] = [];
  for (let n = 0; n < 5; n++) policies.push((await client.sendOtp(newPhone())).body.error?.details?.policy);
  await service.set("OTP_SEND_PER_IP", "1000/1");
  expect(policies).toEqual([
    ...Array<string>(3).fill("FRAUD_CALLING_CODES"),
    "OTP_SEND_PER_IP",
    "OTP_SEND_PER_IP",
  ]);
  expect(await decisions()).toHaveLength(3);
});

test("a reset that is refused answers as ever and sends nothing", async ({
  service,
  service: { client, gateway },
  setRule,
  decisions,
}) => {
  const { phone } = await signUp(service);
  const allowed = await client.post("/auth/reset-password", { phone });
  await gateway.nextCode(phone);
  await setRule("FRAUD_CALLING_CODES", { mode: "enforce", blocked: ["+1212"] });
  const before = gateway.received.length;
  expect(visible(await client.post("/auth/reset-password", { phone }))).toEqual(visible(allowed));
  expect((await decisions())[0]).toMatchObject({ verdict: "refused", purpose: "PASSWORD_RESET" });
  expect(gateway.received.length).toBe(before);
});

test("while the brake of a country is on, a stranger's client cannot tell a phone with an account from one without", async ({
  service,
  service: { client },
  database,
  setRule,
  decisions,
}) => {
  const person = await signUp(service);
  expect((await client.post("/auth/login", person, home)).status).toBe(200);
  await setRule("FRAUD_COUNTRY", { mode: "enforce", minimum: 1, factor: 0 });
  await client.sendOtp(newPhone(), "LOGIN", home);
  const reset = (phone: string) => client.post("/auth/reset-password", { phone }, stranger);
  const send = (phone: string) => client.sendOtp(phone, "LOGIN", stranger);
  // Sends before, between and after resets, and past every limit of the phone.
  const script = [send, reset, send, send, send, reset, reset, send, reset, send];
  const answersFor = async (phone: string) => {
    const answers: Answer[] = [];
    for (const step of script) answers.push(await step(phone));
    return answers;
  };
  const withAccount = await answersFor(person.phone);
  const without = await answersFor(newPhone());
  expect(withAccount.map(visible)).toEqual(without.map(visible));
  expect(withAccount[0]!.body.error?.details?.policy).toBe("FRAUD_COUNTRY");
  expect(new Set((await decisions()).map(({ verdict }) => verdict))).toEqual(new Set(["refused", "allowed"]));
  // Nor by what a request leaves behind: a code that was replaced, and guesses that a new code forgives.
  const records = await database.query<{ count: number }>(
    `select count(*)::integer from platform.otp_transaction where purpose = 'PASSWORD_RESET' group by identifier`,
  );
  expect(records.map(({ count }) => count)).toEqual([3, 3]);
});

test("with a cool-down, a reset delays the next code alike with and without an account", async ({
  service,
  service: { client },
  database,
  setRule,
}) => {
  const { phone } = await signUp(service);
  await database.query("delete from platform.otp_transaction");
  await setRule("FRAUD_COOL_DOWN", { mode: "enforce", seconds: 600 });
  const policies: unknown[] = [];
  for (const number of [phone, newPhone()]) {
    await client.post("/auth/reset-password", { phone: number }, stranger);
    await eventually("the worker has dealt with it", async () => {
      const open = await database.query(
        "select from platform.otp_transaction where delivery in ('queued', 'sending')",
      );
      return open.length === 0;
    });
    policies.push((await client.sendOtp(number, "LOGIN", stranger)).body.error?.details?.policy);
  }
  expect(policies).toEqual(["FRAUD_COOL_DOWN", "FRAUD_COOL_DOWN"]);
});

test("while the brake of a country is on, the client that an account signed in from gets its code", async ({
  service,
  service: { client, gateway },
  setRule,
}) => {
  const person = await signUp(service);
  await client.post("/auth/login", person, home);
  await setRule("FRAUD_COUNTRY", { mode: "enforce", minimum: 1, factor: 0 });
  const [first] = await Promise.all([
    client.sendOtp(person.phone, "LOGIN", home),
    gateway.nextCode(person.phone),
  ]);
  expect(first.status).toBe(200);
  expect((await client.sendOtp(newPhone(), "LOGIN", home)).status).toBe(429);
  const [second] = await Promise.all([
    client.sendOtp(person.phone, "LOGIN", home),
    gateway.nextCode(person.phone),
  ]);
  expect(second.status).toBe(200);
});

test("a cool-down refuses a second send to the phone, and says how long it lasts", async ({
  service: { client, gateway },
  setRule,
}) => {
  await setRule("FRAUD_COOL_DOWN", { mode: "enforce", seconds: 600 });
  const phone = newPhone();
  const [first] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  expect(first.status).toBe(200);
  const { body } = await client.sendOtp(phone, "LOGIN");
  expect(body.error?.details?.policy).toBe("FRAUD_COOL_DOWN");
  expect(body.error?.details?.retryAfterSeconds).toBeGreaterThan(500);
  expect(body.error?.details?.retryAfterSeconds).toBeLessThanOrEqual(600);
});

test("a send that the vendor refused counts neither for a cool-down nor for a country", async ({
  service: { client, gateway },
  database,
  setRule,
}) => {
  await setRule("FRAUD_COOL_DOWN", { mode: "enforce", seconds: 600 });
  gateway.behave(400);
  const phone = newPhone();
  const [failed] = await Promise.all([client.sendOtp(phone), gateway.next(phone)]);
  expect(failed.code).toBe("OTP_SEND_FAILED");
  const counted = await database.query<{ sum: string }>(
    "select sum(sends) from private.send_count group by subject, period",
  );
  expect(new Set(counted.map(({ sum }) => sum))).toEqual(new Set(["0"]));
  gateway.behave(200);
  const [sent] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  expect(sent.status).toBe(200);
});

test("a code that is used counts as verified, and its decision says when", async ({
  service,
  database,
  decisions,
}) => {
  await signUp(service);
  expect((await decisions())[0]?.verified_at).toBeInstanceOf(Date);
  const counted = await database.query(
    "select distinct sum(sends)::integer as sends, sum(verified)::integer as verified from private.send_count group by subject, period",
  );
  expect(counted).toEqual([{ sends: 1, verified: 1 }]);
});

test("the admin reads decisions by GraphQL, and a user does not", async ({ service, database }) => {
  const person = await signUp(service);
  const { access_token } = await logIn(service, person);
  const query = "{ platform_send_decision { country verdict since_last { days } } }";
  const admin = askGraphql(service.url, { "x-admin-secret": serverConfig(database.env).ADMIN_SECRET });
  expect((await admin(query)).data).toEqual({
    platform_send_decision: [{ country: "US", verdict: "allowed", since_last: null }],
  });
  const user = await askGraphql(service.url, bearer(access_token))(query);
  expect(user.message).toContain("platform_send_decision");
});
