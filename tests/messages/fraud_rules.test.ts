import { expect } from "vitest";
import { bearer } from "../../testing/service/rest_client.ts";
import { test } from "../../testing/service/fraud_fixtures.ts";
import { adminOf, askGraphql } from "../../testing/graphql/graphql_client.ts";
import { goodPassword, logIn, newPhone, signUp } from "../../testing/service/people.ts";

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
    prefix: "+12125",
    country: "US",
    client: "127.0.0.1",
    purpose: "SIGNUP",
    verdict: "recorded",
    rule: "FRAUD_CALLING_CODES",
    otp_id: answer.body.data?.otpId,
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

test("a rule about types of numbers refuses a premium-rate number on every route that sends", async ({
  service,
  setRule,
  decisions,
}) => {
  const { client } = service;
  const { access_token } = await logIn(service, await signUp(service));
  await service.database.query("delete from platform.send_decision");
  await setRule("FRAUD_NUMBER_TYPES", { mode: "enforce" });
  const phone = "+19002345678";
  const change = { newPhone: phone, password: goodPassword };
  const answers = [
    await client.sendOtp(phone),
    await client.post("/auth/phone", change, { authorization: `Bearer ${access_token}` }),
    await client.post("/auth/reset-password", { phone }),
  ];
  expect(answers.map(({ body }) => body.error?.details?.policy)).toEqual([
    "FRAUD_NUMBER_TYPES",
    "FRAUD_NUMBER_TYPES",
    undefined,
  ]);
  expect(await decisions()).toMatchObject(
    answers.map(() => ({ verdict: "refused", rule: "FRAUD_NUMBER_TYPES", number_type: "PREMIUM_RATE" })),
  );
});

test("refusals stay counted for the client, so that one client cannot make the service write without limit", async ({
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
  expect(policies).toEqual([...Array<string>(3).fill("FRAUD_CALLING_CODES"), "OTP_SEND_PER_IP", "OTP_SEND_PER_IP"]);
  expect(await decisions()).toHaveLength(3);
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

test("a code that is used counts as verified, and its decision says when", async ({ service, database, decisions }) => {
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
  const query = "{ platform_send_decision { country verdict since_last } }";
  const admin = askGraphql(service.url, adminOf(database));
  expect((await admin(query)).data).toEqual({
    platform_send_decision: [{ country: "US", verdict: "allowed", since_last: null }],
  });
  const user = await askGraphql(service.url, bearer(access_token))(query);
  expect(user.message).toContain("platform_send_decision");
});
