import { expect, test } from "vitest";
import { createTestDatabase } from "../../testing/postgres/test_database.ts";
import { startVendor, type VendorAnswer } from "../../testing/network/vendor_stand_in.ts";
import type { Message } from "../message.ts";
import { createMessage } from "./fixtures/message_fixtures.ts";
import { createVonageProvider } from "./vonage.ts";

interface Options {
  encoding?: Message["encoding"];
  options?: object;
  timeoutMs?: number;
  PUBLIC_URL?: string;
}

const send = (
  url: string,
  body = "735194 is your code",
  { encoding = "GSM-7", options = {}, timeoutMs = 10_000, PUBLIC_URL }: Options = {},
) =>
  createVonageProvider(
    { VONAGE_API_KEY: "abcd1234", VONAGE_API_SECRET: "s3cret", VONAGE_BASE_URL: url, PUBLIC_URL },
    timeoutMs,
  ).send(createMessage("vonage", { from: "Shop", ...options }, { body, encoding }));

/** An answer of the SMS API, which is 200 also for failures: https://developer.vonage.com/en/api/sms */
const answered = (...statuses: string[]): VendorAnswer => ({
  status: 200,
  body: {
    "message-count": String(statuses.length),
    messages: statuses.map((status) =>
      status === "0"
        ? {
            to: "12125550123",
            "message-id": "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab",
            "message-price": "0.0333",
            status,
          }
        : { status, "error-text": "about 12125550123" },
    ),
  },
});

async function sendTo(answer: VendorAnswer, body?: string) {
  const { url, requests } = await startVendor(answer);
  const result = await send(url, body);
  return { result, requests, sent: requests.map((request) => JSON.parse(request.body) as object) };
}

test("an SMS goes from the sender to the number without its plus sign, with the credentials", async () => {
  const { result, requests, sent } = await sendTo(answered("0"));
  expect(result).toEqual({
    outcome: "sent",
    vendorMessageId: "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab",
    price: "0.0333",
    currency: "EUR",
  });
  expect(requests).toMatchObject([
    {
      method: "POST",
      path: "/sms/json",
      headers: { authorization: `Basic ${Buffer.from("abcd1234:s3cret").toString("base64")}` },
    },
  ]);
  expect(sent).toMatchObject([{ from: "Shop", to: "12125550123", text: "735194 is your code", type: "text" }]);
});

test("the ids of India's registry go with the message, and without them no such field", async () => {
  const { url, requests } = await startVendor(answered("0"));
  await send(url, "735194", {
    options: { entityId: "1101234567890123456", contentId: "1107234567890123456" },
  });
  await send(url);
  const [withIds, without] = requests.map(({ body }) => JSON.parse(body) as object);
  expect(withIds).toMatchObject({ "entity-id": "1101234567890123456", "content-id": "1107234567890123456" });
  expect(without).not.toHaveProperty("entity-id");
  expect(without).not.toHaveProperty("content-id");
});

test("with PUBLIC_URL Vonage is asked for a receipt that names the attempt, and without it for none", async () => {
  const { url, requests } = await startVendor(answered("0"));
  await send(url, "735194", { PUBLIC_URL: "https://auth.example.com" });
  await send(url);
  const [withUrl, without] = requests.map(({ body }) => JSON.parse(body) as object);
  expect(withUrl).toMatchObject({
    callback: "https://auth.example.com/api/v1/otp/receipts/vonage",
    "client-ref": createMessage("vonage").attempt_id,
  });
  expect(without).not.toHaveProperty("callback");
  expect(without).not.toHaveProperty("client-ref");
});

/** 3GPP TS 23.038, section 6.2.1: the default alphabet and its extension table, without the escape. */
const gsmAlphabet = Array.from(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿" +
    "abcdefghijklmnopqrstuvwxyzäöñüà\f^{}\\[~]|€",
);

test("Vonage gets the encoding by which PostgreSQL counts segments: Unicode for what is beyond GSM 03.38, and for nothing else", async () => {
  expect(gsmAlphabet).toHaveLength(127 + 10);
  const database = await createTestDatabase();
  const characters = [...gsmAlphabet, ...Array.from("`ç’ÁкЖ码🔑\t\u007f")];
  const rows = await database.query<{ text: string; encoding: "GSM-7" | "UCS-2" }>(
    "select c as text, private.sms_encoding(c) as encoding from unnest($1::text[]) with ordinality t (c, n) order by n",
    [characters],
  );
  const { url, requests } = await startVendor(answered("0"));
  for (const { text, encoding } of rows) await send(url, text, { encoding });
  const sent = requests.map(({ body }) => JSON.parse(body) as { text: string; type: string });
  expect(sent.map(({ text, type }) => [text, type])).toEqual(
    characters.map((text) => [text, gsmAlphabet.includes(text) ? "text" : "unicode"]),
  );
  await database.drop();
});

test.each([
  ...["6", "7", "33"].map((status) => ({ statuses: [status], outcome: "refused" })),
  ...["1", "2", "3", "4", "8", "9", "10", "11", "12", "14", "15", "22", "23", "29", "32", "99"].map((status) => ({
    statuses: [status],
    outcome: "declined",
  })),
  { statuses: ["5"], outcome: "uncertain" },
  // One part was accepted.
  { statuses: ["0", "1"], outcome: "uncertain" },
  { statuses: ["7", "0"], outcome: "uncertain" },
])("statuses $statuses: $outcome, with nothing of the vendor's text", async ({ statuses, outcome }) => {
  const { result, requests } = await sendTo(answered(...statuses));
  const status = statuses.find((part) => part !== "0");
  expect(result).toEqual({ outcome, reason: `Vonage status ${status}` });
  expect(requests).toHaveLength(1);
});

const strange = ["735194\u0000", "735194 is your code", "x".repeat(101)];

test.each(strange)("an id or status that no vendor would give is not stored: %j", async (text) => {
  const [accepted, refused] = [answered("0"), answered(text)];
  (accepted.body as { messages: Record<string, string>[] }).messages[0]!["message-id"] = text;
  expect((await sendTo(accepted)).result).toMatchObject({ outcome: "sent", vendorMessageId: undefined });
  expect((await sendTo(refused)).result).toEqual({ outcome: "declined", reason: "Vonage status unknown" });
});

test.each([
  { status: 400, outcome: "declined" },
  { status: 401, outcome: "declined" },
  { status: 422, outcome: "declined" },
  { status: 429, outcome: "declined" },
  { status: 503, outcome: "uncertain" },
])("a response with status $status: $outcome", async ({ status, outcome }) => {
  const { result } = await sendTo({ status, body: { title: "about 12125550123" } });
  expect(result).toEqual({ outcome, reason: `HTTP ${status}` });
});

test("a vendor that does not answer in time may have sent it: uncertain", async () => {
  const { url } = await startVendor(undefined);
  expect(await send(url, "735194", { timeoutMs: 3_000 })).toEqual({
    outcome: "uncertain",
    reason: "AbortError",
  });
});

test("a refused connection is unreachable: nothing was sent", async () => {
  expect(await send("http://127.0.0.1:1")).toEqual({ outcome: "unreachable", reason: "ECONNREFUSED" });
});
