import { createHmac } from "node:crypto";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { attemptId, configuration, startReceipts, type Receipt } from "./fixtures/receipt_harness.ts";

const fields = {
  AccountSid: `AC${"0".repeat(32)}`,
  ApiVersion: "2010-04-01",
  From: "+12125550100",
  To: "+12125550123",
  MessageSid: `SM${"1".repeat(32)}`,
  MessageStatus: "undelivered",
  ErrorCode: "30005",
};
const query = `?attempt=${attemptId}`;
const url = `https://auth.example.com/api/v1/otp/receipts/twilio${query}`;

/**
 * By hand as https://www.twilio.com/docs/usage/security describes it: the URL and the sorted fields, HMAC-SHA-1,
 * base64.
 */
function signature(params: Record<string, string>, { token = configuration.TWILIO_AUTH_TOKEN, to = url } = {}) {
  const text = Object.keys(params)
    .sort()
    .map((name) => name + (params[name] ?? ""));
  return createHmac("sha1", token)
    .update(to + text.join(""))
    .digest("base64");
}

const receipt = (params: Record<string, string>, signed: string, path = `/twilio${query}`): Receipt => ({
  path,
  body: new URLSearchParams(params).toString(),
  headers: { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": signed },
});

/** Whether a file of Twilio's library is loaded in this process. */
const isLoaded = (file: string): boolean =>
  Object.keys(createRequire(import.meta.url).cache).some((path) => path.endsWith(`/twilio/lib/${file}`));

test("an unsigned request loads no library; a forged one loads the part that verifies, and no more", async () => {
  const { post, calls } = await startReceipts();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  expect(await post({ ...receipt(fields, ""), headers })).toBe("401 signature_invalid");
  expect(isLoaded("webhooks/webhooks.js")).toBe(false);
  expect(await post(receipt(fields, "forged"))).toBe("401 signature_invalid");
  expect(isLoaded("webhooks/webhooks.js")).toBe(true);
  expect(isLoaded("rest/Twilio.js")).toBe(false);
  expect(calls).toEqual([]);
});

test("a signed receipt reaches the database in one call", async () => {
  const { post, calls } = await startReceipts();
  expect(await post(receipt(fields, signature(fields)))).toBe("200");
  expect(calls).toEqual([
    {
      provider: "twilio",
      reference: attemptId,
      vendor_message_id: `SM${"1".repeat(32)}`,
      status: "undelivered",
      error_code: "30005",
      price: null,
      currency: null,
    },
  ]);
});

test("the receipt of a call has its status", async () => {
  const { post, calls } = await startReceipts();
  const call = { CallSid: `CA${"1".repeat(32)}`, CallStatus: "no-answer" };
  expect(await post(receipt(call, signature(call)))).toBe("200");
  expect(calls).toMatchObject([{ vendor_message_id: call.CallSid, status: "no-answer", error_code: null }]);
});

const twice = `${new URLSearchParams(fields).toString()}&MessageStatus=delivered`;
const right = receipt(fields, signature(fields));
const delivered = { ...fields, MessageStatus: "delivered" };
test.each<[string, Receipt]>([
  ["with another token's signature", receipt(fields, signature(fields, { token: "another token" }))],
  ["with an empty token's signature", receipt(fields, signature(fields, { token: "" }))],
  ["with a part of the signature", receipt(fields, signature(fields).slice(0, -1))],
  ["whose field was altered", receipt(delivered, signature(fields))],
  ["whose field was added", receipt({ ...fields, Extra: "1" }, signature(fields))],
  ["whose field was removed", receipt({ MessageStatus: "delivered" }, signature(fields))],
  ["whose field was repeated", { ...right, body: twice }],
  ["for another attempt", { ...right, path: `/twilio?attempt=${attemptId.replace("0197", "0198")}` }],
  ["without its attempt", { ...right, path: "/twilio" }],
  ["with a longer query", { ...right, path: `/twilio${query}&a=1` }],
  ["signed for another host", receipt(fields, signature(fields, { to: url.replace("auth.example", "other.example") }))],
  ["signed for another vendor's URL", receipt(fields, signature(fields, { to: url.replace("twilio?", "vonage?") }))],
  ["signed for the address of this process", receipt(fields, signature(fields, { to: `http://127.0.0.1${query}` }))],
  ["with no fields", { ...right, body: "" }],
])("a receipt %s is answered 401 and reaches no database", async (_what, forged) => {
  const { post, calls } = await startReceipts();
  expect(await post(forged)).toBe("401 signature_invalid");
  expect(calls).toEqual([]);
});

test("below a path that a proxy removes, the public URL is signed", async () => {
  const { post } = await startReceipts({ ...configuration, PUBLIC_URL: "https://example.com:8443/auth" });
  const to = `https://example.com:8443/auth/api/v1/otp/receipts/twilio${query}`;
  expect(await post(receipt(fields, signature(fields, { to })))).toBe("200");
  expect(await post(receipt(fields, signature(fields)))).toBe("401 signature_invalid");
});

test("a receipt that names no attempt, or in an unusual way, is answered 200: Twilio's id decides", async () => {
  const { post, calls } = await startReceipts();
  for (const path of ["/twilio", "/twilio?attempt=7", `/twilio${query}&attempt=7`]) {
    const to = `https://auth.example.com/api/v1/otp/receipts${path}`;
    expect(await post(receipt(fields, signature(fields, { to }), path))).toBe("200");
  }
  expect(calls).toMatchObject(Array(3).fill({ reference: null, vendor_message_id: fields.MessageSid }));
});

test("signed fields of an unusual form count as missing", async () => {
  const { post, calls } = await startReceipts();
  const odd = { MessageSid: "x".repeat(101), MessageStatus: "a\u0000b", ErrorCode: "some text" };
  expect(await post(receipt(odd, signature(odd)))).toBe("200");
  expect(calls).toMatchObject([{ vendor_message_id: null, status: null, error_code: null }]);
});

test("a form of more than 16 KiB or 100 fields, or of another type, is refused", async () => {
  const { post, calls } = await startReceipts();
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`field${index}`, "x"]));
  expect(await post(receipt(many, signature(many)))).toBe("413 too_large");
  const large = { ...fields, Extra: "x".repeat(17_000) };
  expect(await post(receipt(large, signature(large)))).toBe("413 too_large");
  const json = { ...right.headers, "content-type": "application/json" };
  expect(await post({ ...right, headers: json })).toBe("415 unsupported_media_type");
  expect(calls).toEqual([]);
});

test.each(["PUBLIC_URL", "TWILIO_AUTH_TOKEN"])("without %s there is no such route", async (name) => {
  const { post, calls } = await startReceipts({ ...configuration, [name]: undefined });
  expect(await post(right)).toBe("404 not_found");
  expect(await post(receipt(fields, signature(fields, { token: "" })))).toBe("404 not_found");
  expect(calls).toEqual([]);
});
