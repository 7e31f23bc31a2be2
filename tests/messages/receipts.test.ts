import { expect } from "vitest";
import type { Answer } from "../../testing/service/rest_client.ts";
import { eventually } from "../../testing/eventually.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { newPhone } from "../../testing/service/people.ts";
import { startVendor } from "../../testing/network/vendor_stand_in.ts";
import {
  ADMIN_SECRET,
  postAsGateway,
  postAsTwilio,
  postAsVonage,
  postForm,
  readAttempts,
} from "../fixtures/receipt_fixtures.ts";

const template = "{{code}} is your code.";
const unknownId = "0197f0a4-6f2b-7c3d-9e4f-5a6b7c8d9e0f";
const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({ env: { ADMIN_SECRET } }));

test("Twilio gets the address for receipts; forged, repeated, late and out of order they change nothing", async ({
  startOtherService,
}) => {
  const MessageSid = `SM${"a".repeat(32)}`;
  const twilio = await startVendor({ status: 201, body: { sid: MessageSid, status: "queued" } });
  const { client, set, url } = await startOtherService({
    env: { ADMIN_SECRET, TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`, TWILIO_BASE_URL: twilio.url },
  });
  await set("OTP_PROVIDER", { providerToUse: "twilio", template, twilio: { from: "+12125550100" } });
  expect((await client.sendOtp(newPhone())).status).toBe(200);
  const callback = new URLSearchParams(twilio.requests[0]?.body).get("StatusCallback") ?? "";
  const receive = async (MessageStatus: string, rest = {}) => {
    const answer = await postAsTwilio(client, callback, { MessageSid, MessageStatus, ...rest });
    expect(answer.status).toBe(200);
  };
  const attempt = async () => (await readAttempts(url))[0];
  const before = await attempt();
  expect(before).toMatchObject({ outcome: "sent", receipt: null, receipt_at: null });

  const delivery = { MessageSid, MessageStatus: "delivered" };
  const forged = await postForm(client, callback, delivery, "A".repeat(27) + "=");
  expect(forged).toMatchObject({ status: 401, code: "INVALID_REQUEST" });
  expect(forged.body.error?.details).toEqual({ reason: "signature_invalid" });
  const unknown = callback.replace(/[^=]+$/, unknownId);
  const answer = await postAsTwilio(client, unknown, { ...delivery, MessageSid: "SM0" });
  expect(answer.status).toBe(200);
  for (const status of ["queued", "sent"]) await receive(status);
  expect(await attempt()).toEqual(before);

  await receive("undelivered", { ErrorCode: "30005" });
  const undelivered = await attempt();
  expect(undelivered).toMatchObject({ receipt: "undelivered", receipt_error: "30005" });
  await receive("undelivered", { ErrorCode: "30005" });
  await receive("failed", { ErrorCode: "30008" });
  expect(await attempt()).toEqual(undelivered);

  await receive("delivered");
  const delivered = await attempt();
  expect(delivered).toMatchObject({ receipt: "delivered", receipt_error: null });
  for (const status of ["delivered", "undelivered", "sent"]) await receive(status);
  expect(await attempt()).toEqual(delivered);
});

test("a receipt that comes before the worker recorded the attempt is kept", async ({ startOtherService }) => {
  const silent = await startVendor(undefined);
  const { client, set, url } = await startOtherService({
    env: { ADMIN_SECRET, VONAGE_API_KEY: "abcd", VONAGE_API_SECRET: "s3cret", VONAGE_BASE_URL: silent.url },
  });
  await set("OTP_SEND_TIMEOUT_SECONDS", 60);
  await set("OTP_PROVIDER", { providerToUse: "vonage", template, vonage: { from: "Shop" } });
  const sending = client.sendOtp(newPhone());
  await eventually("Vonage is called", () => silent.requests.length > 0);
  const message = JSON.parse(silent.requests[0]?.body ?? "") as Record<string, string>;
  expect(message.callback).toBe("https://auth.example.com/api/v1/otp/receipts/vonage");

  const reference = message["client-ref"] ?? "";
  const receipt = { "client-ref": reference, messageId: "0A01", price: "0.0333", status: "delivered" };
  expect((await postAsVonage(client, receipt)).status).toBe(200);
  const attempt = async () => (await readAttempts(url)).find(({ id }) => id === reference);
  const early = await attempt();
  expect(early).toMatchObject({ outcome: null, receipt: "delivered", price: "0.0333", currency: "EUR" });

  silent.hangUp();
  await sending;
  await eventually("the attempt is recorded", async () => (await attempt())?.outcome === "uncertain");
  expect((await postAsVonage(client, receipt)).status).toBe(200);
  expect(await attempt()).toEqual({ ...early, outcome: "uncertain" });
});

test("a gateway reports by the id of the message; a report that was recorded and is replayed after five minutes is refused", async ({
  service,
  client,
  gateway,
}) => {
  const phone = newPhone();
  const [sent, { id }] = await Promise.all([client.sendOtp(phone), gateway.next(phone)]);
  expect(sent.body.data?.otpId).toBe(id);
  const attempt = async () => (await readAttempts(service.url))[0];
  const before = await attempt();

  const sixMinutesAgo = new Date(Date.now() - 6 * 60_000);
  const old = await postAsGateway(client, { id, status: "delivered" }, sixMinutesAgo);
  expect(old).toMatchObject({ status: 401, code: "INVALID_REQUEST" });
  expect(old.headers.get("www-authenticate")).toBe('Bearer realm="latchkey"');
  expect(await attempt()).toEqual(before);

  expect((await postAsGateway(client, { id, status: "undelivered", error: "absent" })).status).toBe(200);
  expect(await attempt()).toMatchObject({ receipt: "undelivered", receipt_error: "absent" });
  expect((await postAsGateway(client, { id, status: "delivered" })).status).toBe(200);
  expect(await attempt()).toMatchObject({ receipt: "delivered", receipt_error: null });
});

test("a receipt of an unknown message is answered like one of a known message", async ({ client, gateway }) => {
  const phone = newPhone();
  const [, { id }] = await Promise.all([client.sendOtp(phone), gateway.next(phone)]);
  const visible = ({ status, headers, body }: Answer) => [
    status,
    [...headers.keys()].sort(),
    body.meta.message,
    Object.keys(body),
  ];
  const known = visible(await postAsGateway(client, { id, status: "delivered" }));
  expect(known[0]).toBe(200);
  expect(visible(await postAsGateway(client, { id: unknownId, status: "delivered" }))).toEqual(known);
});

test("without PUBLIC_URL no route takes a receipt, by any method", async ({ startOtherService }) => {
  const { client } = await startOtherService({ env: { PUBLIC_URL: "" }, worker: false });
  for (const vendor of ["twilio", "vonage", "http"]) {
    expect(await client.get(`/otp/receipts/${vendor}`)).toMatchObject({ status: 404 });
    expect(await client.post(`/otp/receipts/${vendor}`, {})).toMatchObject({ status: 404 });
  }
});

test("Vonage's receipts by GET are refused: the phone would be in the URL, and in the log of every proxy", async ({
  client,
}) => {
  const { status, headers } = await client.get("/otp/receipts/vonage?msisdn=12125550123&status=delivered");
  expect([status, headers.get("allow")]).toEqual([405, "POST"]);
});
