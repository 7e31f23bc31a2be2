import { expect, test } from "vitest";
import { startVendor, type VendorAnswer } from "../../testing/network/vendor_stand_in.ts";
import type { ProviderOptions } from "./provider.ts";
import { createMessage } from "./fixtures/message_fixtures.ts";
import { createTwilioProvider } from "./twilio.ts";

const sid = `AC${"0".repeat(32)}`;
const from = "+12125550100";
const created = { status: 201, body: { sid: `SM${"0".repeat(32)}`, status: "queued" } };

const twilio = (url: string, timeoutMs?: number, PUBLIC_URL?: string, apiKey: object = {}) =>
  createTwilioProvider(
    {
      TWILIO_ACCOUNT_SID: sid,
      TWILIO_AUTH_TOKEN: "t0ken",
      TWILIO_BASE_URL: url,
      PUBLIC_URL,
      TWILIO_API_KEY: undefined,
      TWILIO_API_SECRET: undefined,
      ...apiKey,
    },
    timeoutMs,
  );

const send = (url: string, options: ProviderOptions = { from }, timeoutMs = 10_000, PUBLIC_URL?: string) =>
  twilio(url, timeoutMs, PUBLIC_URL).send(
    createMessage("twilio", { ...options }, { body: "735194 is your code & nothing <else>" }),
  );

/** Sends to a vendor that gives these answers. Returns the result and the form fields of the requests. */
async function sendTo(answer: VendorAnswer, options?: ProviderOptions) {
  const { url, requests } = await startVendor(answer);
  const result = await send(url, options);
  const fields = requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  return { result, requests, fields };
}

test("an SMS is a message from the number, with the account's credentials", async () => {
  const { result, requests, fields } = await sendTo(created);
  expect(result).toEqual({ outcome: "sent", vendorMessageId: `SM${"0".repeat(32)}` });
  expect(requests).toMatchObject([
    {
      method: "POST",
      path: `/2010-04-01/Accounts/${sid}/Messages.json`,
      headers: { authorization: `Basic ${Buffer.from(`${sid}:t0ken`).toString("base64")}` },
    },
  ]);
  expect(fields).toEqual([{ To: "+12125550123", From: from, Body: "735194 is your code & nothing <else>" }]);
});

test("an API key stands in for the account's token", async () => {
  const { url, requests } = await startVendor(created);
  const apiKey = { TWILIO_API_KEY: `SK${"3".repeat(32)}`, TWILIO_API_SECRET: "s3cret" };
  expect(await twilio(url, undefined, undefined, apiKey).send(createMessage("twilio", { from }))).toMatchObject({
    outcome: "sent",
  });
  expect(requests).toMatchObject([
    {
      path: `/2010-04-01/Accounts/${sid}/Messages.json`,
      headers: { authorization: `Basic ${Buffer.from(`SK${"3".repeat(32)}:s3cret`).toString("base64")}` },
    },
  ]);
});

test.each([
  { apiKey: { TWILIO_AUTH_TOKEN: undefined }, missing: "TWILIO_AUTH_TOKEN" },
  { apiKey: { TWILIO_API_KEY: `SK${"3".repeat(32)}` }, missing: "TWILIO_API_SECRET" },
  { apiKey: { TWILIO_API_SECRET: "s3cret" }, missing: "TWILIO_API_KEY" },
])("half of the credentials is not enough: $missing", ({ apiKey, missing }) => {
  expect(twilio("http://127.0.0.1:1", undefined, undefined, apiKey).unusableReason()).toBe(
    `not set in the worker's environment: ${missing}`,
  );
});

test("a messaging service may take the place of the number", async () => {
  const messagingServiceSid = `MG${"1".repeat(32)}`;
  const { fields } = await sendTo(created, { messagingServiceSid });
  expect(fields).toMatchObject([{ MessagingServiceSid: messagingServiceSid }]);
  expect(fields[0]).not.toHaveProperty("From");
});

const contentSid = `HX${"2".repeat(32)}`;

test("a WhatsApp message is the approved template with the code, from and to WhatsApp addresses", async () => {
  const { fields } = await sendTo(created, { from, channel: "whatsapp", contentSid });
  expect(fields).toEqual([
    {
      To: "whatsapp:+12125550123",
      From: `whatsapp:${from}`,
      ContentSid: contentSid,
      ContentVariables: '{"1":"735194"}',
    },
  ]);
});

test("a notice by WhatsApp is a template without variables", async () => {
  const { url, requests } = await startVendor(created);
  const notice = createMessage("twilio", { from, channel: "whatsapp", contentSid }, { code: null });
  expect(await twilio(url).send(notice)).toMatchObject({ outcome: "sent" });
  const fields = Object.fromEntries(new URLSearchParams(requests[0]?.body));
  expect(fields).toEqual({ To: "whatsapp:+12125550123", From: `whatsapp:${from}`, ContentSid: contentSid });
});

test("an SMS is its text, although there are templates for WhatsApp", async () => {
  const { fields } = await sendTo(created, { from, contentSid });
  expect(fields).toEqual([{ To: "+12125550123", From: from, Body: "735194 is your code & nothing <else>" }]);
});

test("WhatsApp without a template, as an older version allowed it, is not usable", () => {
  expect(twilio("http://127.0.0.1:1").unusableReason({ from, channel: "whatsapp" })).toMatch(/contentSid/);
  expect(twilio("http://127.0.0.1:1").unusableReason({ from, channel: "whatsapp", contentSid: {} })).toBeUndefined();
});

test("a call says the message twice, digit by digit", async () => {
  const { requests, fields } = await sendTo({ status: 201, body: { sid: "CA" } }, { from, channel: "voice" });
  expect(requests).toMatchObject([{ path: `/2010-04-01/Accounts/${sid}/Calls.json` }]);
  const said = "<Say>7, 3, 5, 1, 9, 4 is your code &amp; nothing &lt;else&gt;</Say>";
  expect(fields).toMatchObject([{ To: "+12125550123", From: from }]);
  expect(fields[0]?.Twiml?.split(said)).toHaveLength(3);
});

test.each(["sms", "whatsapp", "voice"])(
  "with PUBLIC_URL the status of a message by %s is sent to the attempt's receipt",
  async (channel) => {
    const { url, requests } = await startVendor(created);
    await send(url, { from, channel, contentSid }, 10_000, "https://auth.example.com");
    const { attempt_id: id } = createMessage("twilio");
    expect(new URLSearchParams(requests[0]?.body).get("StatusCallback")).toBe(
      `https://auth.example.com/api/v1/otp/receipts/twilio?attempt=${id}`,
    );
  },
);

/** An error of Twilio's REST API: https://www.twilio.com/docs/usage/twilios-response#errors-and-exceptions */
const refusal = (status: number, code: number, headers = {}): VendorAnswer => ({
  status,
  headers,
  body: {
    code,
    message: "about +12125550123",
    more_info: `https://www.twilio.com/docs/errors/${code}`,
    status,
  },
});

test.each([
  ...[21211, 21214, 21217, 21265, 21268, 21610, 21614, 21635].map((code) => ({
    status: 400,
    code,
    outcome: "refused",
  })),
  // The sender cannot reach this number or its queue is full; region; account; messaging service; number not
  // registered; WhatsApp.
  ...[21408, 21606, 21611, 21612, 21659, 21701, 21703, 21704, 21705, 30034, 63016, 63024, 99999].map((code) => ({
    status: 400,
    code,
    outcome: "declined",
  })),
  { status: 401, code: 20003, outcome: "declined" },
  { status: 403, code: 20003, outcome: "declined" },
  { status: 404, code: 20404, outcome: "declined" },
  { status: 429, code: 20429, outcome: "declined" },
  { status: 500, code: 20500, outcome: "uncertain" },
  // Whatever the code: it may have been sent.
  { status: 503, code: 21211, outcome: "uncertain" },
])("$status with code $code: $outcome, with nothing of the vendor's text", async ({ status, code, outcome }) => {
  const { result, requests } = await sendTo(refusal(status, code));
  expect(result).toEqual({ outcome, reason: `HTTP ${status}, code ${code}` });
  expect(requests).toHaveLength(1);
});

test.each([
  { status: "queued", code: null, outcome: "sent" },
  { status: "accepted", code: null, outcome: "sent" },
  { status: "failed", code: 30034, outcome: "declined" },
  { status: "failed", code: 63016, outcome: "declined" },
  { status: "failed", code: 63024, outcome: "declined" },
  { status: "failed", code: 30005, outcome: "refused" },
  // Perhaps only our short code cannot reach the carrier.
  { status: "failed", code: 30006, outcome: "declined" },
  { status: "undelivered", code: 30006, outcome: "uncertain" },
  { status: "canceled", code: null, outcome: "declined" },
])("a message that is created as $status with code $code: $outcome", async ({ status, code, outcome }) => {
  const sid = `SM${"0".repeat(32)}`;
  const { result } = await sendTo({
    status: 201,
    body: { sid, status, error_code: code, error_message: "about +12125550123" },
  });
  const reason = `Twilio status ${status}${code === null ? "" : `, code ${code}`}`;
  expect(result).toEqual({ outcome, vendorMessageId: sid, ...(outcome !== "sent" && { reason }) });
});

test.each(["735194\u0000", "735194 is your code", "x".repeat(101)])(
  "an id or code that no vendor would give is not stored: %j",
  async (text) => {
    const accepted = await sendTo({ status: 201, body: { sid: text } });
    expect(accepted.result).toEqual({ outcome: "sent", vendorMessageId: undefined });
    const refused = await sendTo({ status: 400, body: { code: text, message: "", status: 400 } });
    expect(refused.result).toEqual({ outcome: "declined", reason: "HTTP 400" });
  },
);

test("a throttled result has the vendor's Retry-After", async () => {
  const { result } = await sendTo(refusal(429, 20429, { "retry-after": "7" }));
  expect(result).toMatchObject({ outcome: "declined", retryAfterSeconds: 7 });
});

test("a gateway in front of the vendor that answers without JSON: uncertain", async () => {
  const { result } = await sendTo({ status: 503, body: "<html>735194</html>" });
  expect(result).toEqual({ outcome: "uncertain", reason: "HTTP 503" });
});

test("a vendor that does not answer in time may have sent it: uncertain", async () => {
  const { url } = await startVendor(undefined);
  expect(await send(url, { from }, 3_000)).toEqual({ outcome: "uncertain", reason: "ECONNABORTED" });
});

test("a refused connection is unreachable: nothing was sent", async () => {
  expect(await send("http://127.0.0.1:1")).toEqual({ outcome: "unreachable", reason: "ECONNREFUSED" });
});
