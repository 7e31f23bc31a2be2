import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { attemptId, configuration, startReceipts, type Receipt } from "./fixtures/receipt_harness.ts";

const fields = { id: attemptId, status: "undelivered", error: "unknown-subscriber" };
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

interface Signing {
  secret?: string;
  id?: string;
  at?: Date;
}

/** A request that a gateway signs with the library. */
function receipt(
  body: string,
  { secret = configuration.SMS_HTTP_SIGNING_SECRET, id = "msg_1", at = new Date() }: Signing = {},
): Receipt & { headers: Record<string, string> } {
  return {
    path: "/http",
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign(id, at, body),
    },
  };
}

const right = receipt(JSON.stringify(fields));
const withHeaders = (headers: Record<string, string>): Receipt => ({
  ...right,
  headers: { ...right.headers, ...headers },
});

test("a signed receipt reaches the database in one call", async () => {
  const { post, calls } = await startReceipts();
  expect(await post(right)).toBe("200");
  expect(await post(receipt(JSON.stringify({ id: attemptId, status: "delivered" })))).toBe("200");
  const expected = {
    provider: "http",
    reference: attemptId,
    vendor_message_id: null,
    price: null,
    currency: null,
  };
  expect(calls).toEqual([
    { ...expected, status: "undelivered", error_code: "unknown-subscriber" },
    { ...expected, status: "delivered", error_code: null },
  ]);
});

test("the signature covers the bytes, not the parsed JSON", async () => {
  const { post, calls } = await startReceipts();
  const spaced = JSON.stringify(fields, null, 2);
  expect(await post(receipt(spaced))).toBe("200");
  expect(await post({ ...receipt(spaced), body: JSON.stringify(fields) })).toBe("401 signature_invalid");
  expect(calls).toHaveLength(1);
});

test("a signature is valid for five minutes, also if the clocks differ", async () => {
  const { post } = await startReceipts();
  const body = JSON.stringify(fields);
  for (const minutes of [4, -4]) expect(await post(receipt(body, { at: minutesAgo(minutes) }))).toBe("200");
});

const another = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const without = (header: string): Receipt => ({
  ...right,
  headers: Object.fromEntries(Object.entries(right.headers).filter(([name]) => name !== header)),
});
const body = JSON.stringify(fields);
test.each<[string, Receipt]>([
  ["without id", without("webhook-id")],
  ["without timestamp", without("webhook-timestamp")],
  ["without signature", without("webhook-signature")],
  ["with another secret's signature", receipt(body, { secret: another })],
  ["with a signature of no version", withHeaders({ "webhook-signature": "v1" })],
  ["with an empty signature", withHeaders({ "webhook-signature": "v1," })],
  ["whose body was altered", { ...right, body: body.replace("undelivered", "delivered") }],
  ["without body", { ...right, body: "" }],
  ["with another id", withHeaders({ "webhook-id": "msg_2" })],
  ["with another timestamp", withHeaders({ "webhook-timestamp": String(Math.floor(Date.now() / 1_000) + 1) })],
  ["with a timestamp that is no number", withHeaders({ "webhook-timestamp": "now" })],
  ["that was recorded six minutes ago", receipt(body, { at: minutesAgo(6) })],
  ["from six minutes ahead", receipt(body, { at: minutesAgo(-6) })],
])("a receipt %s is answered 401 and reaches no database", async (_what, forged) => {
  const { post, calls } = await startReceipts();
  expect(await post(forged)).toBe("401 signature_invalid");
  expect(calls).toEqual([]);
});

test.each([
  ["without id", { status: "delivered" }, "400 id"],
  ["without status", { id: attemptId }, "400 status"],
  ["with another status", { ...fields, status: "sent" }, "400 invalid"],
  ["with an id that is no UUID", { ...fields, id: "7" }, "400 invalid"],
  ["with a text as error", { ...fields, error: "the phone +12125550123 is off" }, "400 invalid"],
  ["that is a message of ours", { to: "+12125550123", body: "735194", id: attemptId }, "400 status"],
])("a signed receipt %s is answered 400: its author reads it", async (_what, wrong, answer) => {
  const { post, calls } = await startReceipts();
  expect(await post(receipt(JSON.stringify(wrong)))).toBe(answer);
  expect(calls).toEqual([]);
});

test("a receipt of more than 16 KiB, or of another type, is refused", async () => {
  const { post, calls } = await startReceipts();
  expect(await post(receipt(JSON.stringify({ ...fields, extra: "x".repeat(17_000) })))).toBe("413 too_large");
  expect(await post(withHeaders({ "content-type": "application/x-www-form-urlencoded" }))).toBe(
    "415 unsupported_media_type",
  );
  expect(calls).toEqual([]);
});

test.each(["PUBLIC_URL", "SMS_HTTP_SIGNING_SECRET"])("without %s there is no such route", async (name) => {
  const { post, calls } = await startReceipts({ ...configuration, [name]: undefined });
  expect(await post(right)).toBe("404 not_found");
  expect(calls).toEqual([]);
});
