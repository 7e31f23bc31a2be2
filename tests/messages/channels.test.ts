import { expect } from "vitest";
import { startVendor } from "../../testing/network/vendor_stand_in.ts";
import { newPhone } from "../../testing/service/people.ts";
import { test } from "../../testing/fixtures.ts";

const from = "+12125550100";
const template = "{{code}} is your code.";
const contentSid = { default: { default: `HX${"2".repeat(32)}` } };

test("a request names its channel, as far as OTP_CHANNELS and a provider have it", async ({ startOtherService }) => {
  const twilio = await startVendor({ status: 201, body: { sid: `SM${"0".repeat(32)}`, status: "queued" } });
  const { client, set, database } = await startOtherService({
    env: { TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`, TWILIO_BASE_URL: twilio.url },
  });
  await set("OTP_PROVIDER", { providerToUse: "twilio", template, twilio: { from } });
  const send = (channel: unknown, more: object = {}) =>
    client.post("/otp/send", {
      input: { identifier: newPhone(), identifierType: "PHONE", purpose: "LOGIN", channel, ...more },
    });
  const refused = {
    status: 400,
    code: "INVALID_REQUEST",
    body: { error: { details: { field: "input.channel", reason: "channel_not_allowed" } } },
  };
  const invalid = { status: 400, code: "INVALID_REQUEST", body: { error: { details: { field: "input.channel" } } } };
  for (const channel of [undefined, null, "sms"]) expect((await send(channel)).status).toBe(200);
  for (const channel of ["voice", "whatsapp"]) expect(await send(channel)).toMatchObject(refused);
  for (const channel of ["fax", "SMS", "", 5, ["sms"]]) expect(await send(channel)).toMatchObject(invalid);

  await set("OTP_CHANNELS", ["sms", "voice", "whatsapp"]);
  expect((await send("voice")).status).toBe(200);
  expect(await send("whatsapp")).toMatchObject(refused);
  await set("OTP_PROVIDER", { providerToUse: "twilio", template, twilio: { from, contentSid } });
  expect((await send("whatsapp")).status).toBe(200);
  expect((await send("sms")).status).toBe(200);
  const email = { identifier: "ada@example.com", identifierType: "EMAIL" };
  expect(await send("sms", email)).toMatchObject(refused);
  expect((await send(null, email)).status).toBe(200);
  expect(await send("sms", { unknown: 1 })).toMatchObject({ code: "INVALID_REQUEST" });

  const channels = await database.query(
    "select a.channel from platform.delivery_attempt a join platform.otp_transaction o on o.id = a.otp_id order by a.started_at",
  );
  expect(channels.map(({ channel }) => channel as string)).toEqual(["sms", "sms", "sms", "voice", "whatsapp", "sms"]);
  const recipients = twilio.requests.map(({ path, body }) => [
    path?.split("/").at(-1),
    new URLSearchParams(body).get("To")?.split(":")[0],
  ]);
  expect(recipients.map(([kind, to]) => (to === "whatsapp" ? to : kind))).toEqual([
    "Messages.json",
    "Messages.json",
    "Messages.json",
    "Calls.json",
    "whatsapp",
    "Messages.json",
  ]);
});

test("another provider of the chain has the channel that the first has not", async ({ startOtherService }) => {
  const twilio = await startVendor({ status: 201, body: { sid: "CA" } });
  const { client, set, gateway } = await startOtherService({
    env: { TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`, TWILIO_BASE_URL: twilio.url },
  });
  await set("OTP_CHANNELS", ["voice"]);
  await set("OTP_PROVIDER", {
    providerToUse: "http",
    fallback: ["twilio"],
    template,
    http: { url: gateway.url },
    twilio: { from },
  });
  const input = { identifier: newPhone(), identifierType: "PHONE", purpose: "LOGIN", channel: "voice" };
  expect((await client.post("/otp/send", { input })).status).toBe(200);
  expect(gateway.received).toEqual([]);
  expect(twilio.requests.map(({ path }) => path?.split("/").at(-1))).toEqual(["Calls.json"]);
});
