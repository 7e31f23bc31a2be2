import { expect } from "vitest";
import { type Answer } from "../../testing/service/rest_client.ts";
import { eventually } from "../../testing/eventually.ts";
import { test } from "../../testing/service/fraud_fixtures.ts";
import { newPhone, signUp } from "../../testing/service/people.ts";
import { visiblePartsBut } from "../../testing/service/visible_parts.ts";

const from = (client: string) => ({ "x-forwarded-for": client });
const home = from("198.51.100.1");
const stranger = from("198.51.100.2");

const visible = visiblePartsBut("retryAfterSeconds");

test("a reset that is refused answers as always and sends nothing", async ({
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

test("while a rule refuses a country, a stranger's client cannot tell a phone with an account from one without", async ({
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
  // Neither do the effects of a request reveal it: a replaced code, and guesses that a new code clears.
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
    await eventually("the worker has processed it", async () => {
      const open = await database.query("select from platform.otp_transaction where delivery in ('queued', 'sending')");
      return open.length === 0;
    });
    policies.push((await client.sendOtp(number, "LOGIN", stranger)).body.error?.details?.policy);
  }
  expect(policies).toEqual(["FRAUD_COOL_DOWN", "FRAUD_COOL_DOWN"]);
});

test("while a rule refuses a country, the client that an account signed in from gets its code", async ({
  service,
  service: { client, gateway },
  setRule,
}) => {
  const person = await signUp(service);
  await client.post("/auth/login", person, home);
  await setRule("FRAUD_COUNTRY", { mode: "enforce", minimum: 1, factor: 0 });
  const [first] = await Promise.all([client.sendOtp(person.phone, "LOGIN", home), gateway.nextCode(person.phone)]);
  expect(first.status).toBe(200);
  expect((await client.sendOtp(newPhone(), "LOGIN", home)).status).toBe(429);
  const [second] = await Promise.all([client.sendOtp(person.phone, "LOGIN", home), gateway.nextCode(person.phone)]);
  expect(second.status).toBe(200);
});
