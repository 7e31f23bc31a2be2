import { SMS } from "@vonage/sms";
import { AlgorithmTypes } from "@vonage/auth";
import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { attemptId, configuration, startReceipts, type Receipt } from "./fixtures/receipt_harness.ts";

const secret = configuration.VONAGE_SIGNATURE_SECRET;
const fields: Record<string, string> = {
  "api-key": "abcd1234",
  msisdn: "12125550123",
  to: "Shop & Co",
  "network-code": "310090",
  messageId: "0A0000000123ABCD1",
  status: "delivered",
  "err-code": "0",
  price: "0.03330000",
  scts: "2611221730",
  "message-timestamp": "2026-11-22 17:30:00",
  "client-ref": attemptId,
  nonce: "a=b&c",
  timestamp: "1795368600",
};

/** By hand as https://developer.vonage.com/en/getting-started/concepts/signing-messages describes it. */
function sign(params: Record<string, unknown>, key = secret, algorithm = "sha256"): string {
  const text = Object.entries(params)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `&${name}=${String(value).replace(/[&=]/g, "_")}`);
  return createHmac(algorithm, key).update(text.join("")).digest("hex");
}

const json = (params: object): Receipt => ({
  path: "/vonage",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(params),
});
const form = (params: Record<string, string>): Receipt => ({
  path: "/vonage",
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(params).toString(),
});

test("Vonage's own library accepts the signatures of this test", () => {
  const sms = new SMS({ apiKey: "abcd1234", apiSecret: "s3cret" });
  const verify = (params: Record<string, string>) =>
    sms.verifySignature(sign(fields), params, secret, AlgorithmTypes.sha256hmac);
  expect(verify(fields)).toBe(true);
  expect(verify({ ...fields, status: "failed" })).toBe(false);
});

test.each([
  ["JSON", json],
  ["a form", form],
])("a signed receipt as %s reaches the database in one call", async (_what, as) => {
  const { post, calls } = await startReceipts();
  expect(await post(as({ ...fields, sig: sign(fields) }))).toBe("200");
  expect(await post(as({ ...fields, sig: sign(fields).toUpperCase() }))).toBe("200");
  const expected = {
    provider: "vonage",
    reference: attemptId,
    vendor_message_id: fields.messageId,
    status: "delivered",
    error_code: "0",
    price: "0.03330000",
    currency: "EUR",
  };
  expect(calls).toEqual([expected, expected]);
});

test("a receipt without price, reference or text in its fields is recorded with the fields that it has", async () => {
  const { post, calls } = await startReceipts();
  const odd = {
    status: "failed",
    "err-code": 6,
    price: "free",
    "client-ref": "my reference",
    messageId: "a b",
  };
  expect(await post(json({ ...odd, sig: sign(odd) }))).toBe("200");
  expect(calls).toEqual([
    {
      provider: "vonage",
      reference: null,
      vendor_message_id: null,
      status: "failed",
      error_code: null,
      price: null,
      currency: null,
    },
  ]);
});

test.each<[string, Receipt]>([
  ["without signature", json(fields)],
  ["with an empty signature", json({ ...fields, sig: "" })],
  ["with a part of the signature", json({ ...fields, sig: sign(fields).slice(2) })],
  ["with a signature that is a list", json({ ...fields, sig: [sign(fields)] })],
  ["with another secret's signature", json({ ...fields, sig: sign(fields, "another secret") })],
  ["with an empty secret's signature", json({ ...fields, sig: sign(fields, "") })],
  ["signed by MD5, as accounts do by default", json({ ...fields, sig: sign(fields, secret, "md5") })],
  ["whose field was altered", json({ ...fields, status: "failed", sig: sign(fields) })],
  ["whose reference was altered", form({ ...fields, "client-ref": "7", sig: sign(fields) })],
  ["whose field was added", json({ ...fields, extra: "1", sig: sign(fields) })],
  ["whose field was removed", json({ status: "delivered", sig: sign(fields) })],
  ["with an object as field", json({ ...fields, extra: {}, sig: sign(fields) })],
  ["that is a list", json([])],
  ["with no body", { ...json({}), body: "" }],
])("a receipt %s is answered 401 and reaches no database", async (_what, forged) => {
  const { post, calls } = await startReceipts();
  expect(await post(forged)).toBe("401 signature_invalid");
  expect(calls).toEqual([]);
});

test("a receipt of more than 16 KiB, or of another type, is refused", async () => {
  const { post, calls } = await startReceipts();
  const large = { ...fields, extra: "x".repeat(17_000) };
  expect(await post(json({ ...large, sig: sign(large) }))).toBe("413 too_large");
  expect(await post({ path: "/vonage", body: "{}", headers: { "content-type": "text/plain" } })).toBe(
    "415 unsupported_media_type",
  );
  expect(calls).toEqual([]);
});

test.each(["PUBLIC_URL", "VONAGE_SIGNATURE_SECRET"])("without %s there is no such route", async (name) => {
  const { post, calls } = await startReceipts({ ...configuration, [name]: undefined });
  expect(await post(json({ ...fields, sig: sign(fields) }))).toBe("404 not_found");
  expect(await post(json({ ...fields, sig: sign(fields, "") }))).toBe("404 not_found");
  expect(calls).toEqual([]);
});
