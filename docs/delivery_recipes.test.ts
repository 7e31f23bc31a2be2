import { expect } from "vitest";
import { documentBlocks, documentSection } from "../testing/documents/document_blocks.ts";
import { test as baseTest } from "../testing/fixtures.ts";
import { runRecipe } from "../testing/documents/run_recipe.ts";
import { storedSetting } from "../testing/service/stored_setting.ts";

const blocksOf = (document: string, heading: string): { language: string; text: string }[] =>
  Array.from(
    documentSection(document, heading).matchAll(/^```(sql|json)\n([^]*?)^```$/gm),
    ([, language = "", text = ""]) => ({ language, text }),
  );
/** The phone in the documents' query of attempts. */
const phone = "+12125550123";

// A provider is stored only while a worker has what it needs.
/** A database with one SMS to the documents' phone, whose code was not used. */
const test = baseTest
  .extend("serviceOptions", { scope: "file" }, () => ({
    env: {
      AWS_REGION: "eu-central-1",
      AWS_ACCESS_KEY_ID: "a key",
      AWS_SECRET_ACCESS_KEY: "a secret",
      TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
      VONAGE_API_KEY: "a key",
      VONAGE_API_SECRET: "a secret",
    },
  }))
  .extend("sent", { scope: "file" }, async ({ service, gateway }) => {
    const [answer] = await Promise.all([service.client.sendOtp(phone, "LOGIN"), gateway.nextCode(phone)]);
    return answer;
  });

test("the documents' SQL runs, and PostgreSQL takes each of their records as OTP_PROVIDER, in their order", async ({
  service: { set },
  database,
  sent,
}) => {
  expect(sent.status).toBe(200);
  const [results, stored]: [unknown[][], unknown[]] = [[], []];
  for (const { language, text } of [
    ...blocksOf("docs/delivery.md", "Delivery"),
    ...blocksOf("docs/messages.md", "Messages"),
  ]) {
    const value = language === "json" ? (JSON.parse(text) as Record<string, unknown>) : {};
    if (language === "sql") results.push(await database.query(text));
    // The others are bodies of requests.
    if (!("providerToUse" in value)) continue;
    await set("OTP_PROVIDER", value);
    stored.push(value.providerToUse);
    expect(await storedSetting(database, "OTP_PROVIDER")).toEqual(value);
  }
  expect(stored).toEqual(["twilio", "aws-sns", "vonage", "http", "console", "console", "console"]);
  expect(results).toHaveLength(9);
  expect(results.flat()).toEqual(
    expect.arrayContaining([
      { provider: "http", sent: "1", used: "0", percent: "0" },
      expect.objectContaining({ provider: "http", channel: "sms", outcome: "sent", receipt: null }),
      expect.objectContaining({ purpose: "PHONE_CHANGED", locale: "de", segments: 1 }),
      expect.objectContaining({ provider: "http", receipt: null, count: "1" }),
    ]),
  );
  expect(await storedSetting(database, "EMAIL_DELIVERY")).toBe("on");
  expect(await storedSetting(database, "OTP_TEST_NUMBERS")).toHaveProperty("+12125550199");
});

test("docs/delivery.md has a record for every provider of SMS", async ({ database }) => {
  const records = [...documentSection("docs/delivery.md", "Delivery").matchAll(/"providerToUse": "([\w-]+)"/g)];
  const named = new Set(records.map(([, name = ""]) => name));
  const [fault] = await database.query<{ fault: string }>(
    `select private.provider_fault('{"providerToUse": "none", "template": "{{code}}"}') as fault`,
  );
  const known = /one of (.*)/.exec(fault!.fault)?.[1]?.split(", ");
  expect([...named].sort()).toEqual(known?.sort());
});

test("after the document's command the document's request gets an SMS that fills itself in", async ({
  startOtherService,
}) => {
  const { client, database, gateway } = await startOtherService();
  const heading = "Codes that fill themselves in";
  const [allow = ""] = documentBlocks("docs/messages.md", heading, "sh");
  const [request = ""] = documentBlocks("docs/messages.md", heading, "json");
  await runRecipe(allow, database.env);
  expect((await client.post("/otp/send", request)).status).toBe(200);
  expect((await gateway.next(phone)).body).toMatch(/\n@app\.example\.com #\d{6}$/);
});
