import { expect, onTestFinished } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { test } from "../../testing/fixtures.ts";
import { newPhone, signUp } from "../../testing/service/people.ts";
import { startSmsGateway } from "../../testing/network/sms_gateway.ts";
import { startSmtp } from "../../testing/network/smtp_stand_in.ts";
import { startVendor } from "../../testing/network/vendor_stand_in.ts";
import type { TestDatabase } from "../../testing/postgres/test_database.ts";

const template = "{{code}} is your code.";
const attemptsFor = (database: TestDatabase, identifier: string) =>
  database.query(
    `select a.provider, a.channel, a.outcome, a.vendor_error, a.vendor_message_id
     from platform.delivery_attempt a join platform.otp_transaction o on o.id = a.otp_id
     where o.identifier = $1 order by a.started_at`,
    [identifier],
  );

async function startGateway() {
  const gateway = await startSmsGateway();
  onTestFinished(() => gateway.stop());
  return gateway;
}

test("a code is sent by Twilio's library, and the admin sees the attempt in GraphQL", async ({ startOtherService }) => {
  const sid = `SM${"a".repeat(32)}`;
  const twilio = await startVendor({ status: 201, body: { sid, status: "queued" } });
  const { client, set, url, database } = await startOtherService({
    env: {
      TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
      TWILIO_AUTH_TOKEN: "t0ken",
      TWILIO_BASE_URL: twilio.url,
      ADMIN_SECRET: "an admin's secret of 32 characters",
    },
  });
  await set("OTP_PROVIDER", { providerToUse: "twilio", template, twilio: { from: "+12125550100" } });
  const phone = newPhone();
  expect((await client.sendOtp(phone)).status).toBe(200);
  expect(twilio.requests.map(({ body }) => new URLSearchParams(body).get("To"))).toEqual([phone]);
  const response = await fetch(`${url}/v1/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-admin-secret": "an admin's secret of 32 characters" },
    body: JSON.stringify({
      query: "{ platform_delivery_attempt { provider channel outcome vendor_message_id } }",
    }),
  });
  expect(await response.json()).toEqual({
    data: {
      platform_delivery_attempt: [{ provider: "twilio", channel: "sms", outcome: "sent", vendor_message_id: sid }],
    },
  });
  const stored = await database.query("select * from platform.delivery_attempt");
  const code = /[0-9]{6}/.exec(new URLSearchParams(twilio.requests[0]?.body).get("Body") ?? "")![0];
  expect(JSON.stringify(stored)).not.toContain(`"${code}"`);
});

test("a vendor that declines for its own reasons is followed by the fallback, with the code of the last attempt", async ({
  startOtherService,
}) => {
  const vonage = await startVendor({
    status: 200,
    body: { "message-count": "1", messages: [{ status: "9", "error-text": "quota" }] },
  });
  const { client, set, gateway, database } = await startOtherService({
    env: { VONAGE_API_KEY: "abcd", VONAGE_API_SECRET: "s3cret", VONAGE_BASE_URL: vonage.url },
  });
  await set("OTP_PROVIDER", {
    providerToUse: "vonage",
    fallback: ["http"],
    template,
    vonage: { from: "Shop" },
    http: { url: gateway.url },
  });
  const phone = newPhone();
  await client.post("/auth/register", { phone, password: "a good long password" });
  const [answer, otp] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  expect(answer.status).toBe(200);
  expect(await attemptsFor(database, phone)).toMatchObject([
    { provider: "vonage", outcome: "declined", vendor_error: "Vonage status 9" },
    { provider: "http", outcome: "sent" },
  ]);
  expect((await client.post("/auth/register/verify", { phone, otp })).status).toBe(200);
});

test("a number that the vendor calls invalid is not passed to the fallback, and costs no send", async ({
  service,
  client,
  gateway,
  database,
}) => {
  const other = await startGateway();
  await service.set("OTP_PROVIDER", {
    providerToUse: "http",
    fallback: ["console"],
    template,
    http: { url: other.url },
  });
  other.behave(422);
  const phone = newPhone();
  expect((await client.sendOtp(phone)).code).toBe("OTP_SEND_FAILED");
  expect(await attemptsFor(database, phone)).toMatchObject([{ provider: "http", outcome: "refused" }]);
  await service.set("OTP_PROVIDER", { providerToUse: "http", template, http: { url: gateway.url } });
});

test("a fault of the vendor is followed by another attempt, with a fresh code", async ({
  client,
  gateway,
  database,
}) => {
  const phone = newPhone();
  await client.post("/auth/register", { phone, password: "a good long password" });
  gateway.behave(503);
  const answer = client.sendOtp(phone);
  const lost = await gateway.nextCode(phone);
  gateway.behave(200);
  const code = await gateway.nextCode(phone);
  expect((await answer).status).toBe(200);
  expect(await attemptsFor(database, phone)).toMatchObject([{ outcome: "uncertain" }, { outcome: "sent" }]);
  const verify = (otp: string) => client.post("/auth/register/verify", { phone, otp });
  expect((await verify(lost)).code).toBe("INVALID_OTP");
  expect((await verify(code)).status).toBe(200);
});

test("a silent vendor does not use up the time of the fallback", async ({ service, client, gateway, database }) => {
  const silent = await startVendor(undefined);
  await service.set("OTP_PROVIDER", {
    providerToUse: "http",
    template,
    fallback: ["console"],
    http: { url: silent.url },
  });
  await service.set("OTP_SEND_TIMEOUT_SECONDS", 16);
  const phone = newPhone();
  expect((await client.sendOtp(phone)).status).toBe(200);
  expect(await attemptsFor(database, phone)).toMatchObject([
    { provider: "http", outcome: "uncertain" },
    { provider: "console", outcome: "sent" },
  ]);
  await service.set("OTP_SEND_TIMEOUT_SECONDS", 10);
  await service.set("OTP_PROVIDER", { providerToUse: "http", template, http: { url: gateway.url } });
});

test("a reset goes on while the vendor declines, and is sent once it is back", async ({
  service,
  client,
  gateway,
  database,
}) => {
  const person = await signUp(service);
  gateway.behave(401);
  await client.post("/auth/reset-password", { phone: person.phone });
  await gateway.next(person.phone);
  // Postpones the next attempt, so that the worker does not make it while the vendor still declines.
  const isQueued = async () => {
    const rows = await database.query(
      "update graphile_worker._private_jobs set run_at = 'infinity' where run_at > now() returning id",
    );
    return rows.length === 1;
  };
  await eventually("the next attempt is queued for later", isQueued);
  gateway.behave(200);
  await database.query("update graphile_worker._private_jobs set run_at = now()");
  await eventually("the SMS is recorded as sent, which makes its code valid", async () => {
    const rows = await database.query(
      "select from platform.otp_transaction where identifier = $1 and purpose = 'PASSWORD_RESET' and delivery = 'sent'",
      [person.phone],
    );
    return rows.length === 1;
  });
  const sms = gateway.received.findLast(({ to }) => to === person.phone);
  const otp = sms!.body.slice(0, 6);
  const body = { phone: person.phone, otp, newPassword: "another good password" };
  expect((await client.post("/auth/reset-password/verify", body)).status).toBe(200);
});

test("a code for an EMAIL is sent by SMTP while EMAIL_DELIVERY is on, and stored while it is off", async ({
  startOtherService,
}) => {
  const { host, mails } = await startSmtp();
  const { client, set, database } = await startOtherService({
    env: { SMTP_URL: `smtp://shop:p%40ss@${host}` },
  });
  await set("OTP_PROVIDER", { providerToUse: "console", template, smtp: { from: "codes@shop.example" } });
  const send = () =>
    client.post("/otp/send", {
      input: { identifier: "Ada@example.com", identifierType: "EMAIL", purpose: "SIGNUP" },
    });
  expect((await send()).status).toBe(200);
  expect(mails).toEqual([]);
  await set("EMAIL_DELIVERY", "on");
  expect((await send()).status).toBe(200);
  expect(mails).toMatchObject([{ to: ["ada@example.com"], from: "codes@shop.example" }]);
  expect(mails[0]?.content).toMatch(/[0-9]{6} is your code\./);
  expect(await attemptsFor(database, "ada@example.com")).toMatchObject([
    { provider: "smtp", channel: "email", outcome: "sent" },
  ]);
});
