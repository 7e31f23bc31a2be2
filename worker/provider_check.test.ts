import { expect, test } from "vitest";
import { collectLog } from "../testing/log_lines.ts";
import type { ProviderInUse } from "./message.ts";
import { createProviderCheck } from "./provider_check.ts";
import { createProviders } from "./sms/providers.ts";

function setUp(environment: object = {}) {
  const { log, lines } = collectLog();
  const config = { production: true, SMS_HTTP_HOSTS: ["sms.example"], ...environment };
  const providers = createProviders(config as unknown as Parameters<typeof createProviders>[0]);
  const stored: Partial<Record<"provider" | "fallback", ProviderInUse>> = {};
  const delivery = {
    providersInUse: () =>
      Promise.resolve([stored.provider, stored.fallback].filter((provider) => provider !== undefined)),
  };
  let time = 0;
  const check = createProviderCheck({ delivery, providers, log, now: () => time });
  return { check, lines, stored, wait: (ms: number) => (time += ms) };
}

const http = (url: string): ProviderInUse => ({ name: "http", options: { url } });

test("the reason why no SMS can be sent is a warning, once per reason and minute", async () => {
  const { check, lines, stored, wait } = setUp();
  for (let count = 0; count < 100; count++) expect(await check.canSend()).toBe(false);
  stored.provider = http("https://other.example/key-735194");
  for (let count = 0; count < 100; count++) expect(await check.canSend()).toBe(false);
  const reasons = () => lines.map(({ level, err }) => [level, err]);
  const unset = [40, "no provider is set"];
  const unlisted = [40, "the host of http.url is not in SMS_HTTP_HOSTS"];
  expect(reasons()).toEqual([unset, unlisted]);
  expect(JSON.stringify(lines)).not.toContain("735194");
  wait(59_999);
  await check.canSend();
  expect(reasons()).toEqual([unset, unlisted]);
  wait(1);
  await check.canSend();
  expect(reasons()).toEqual([unset, unlisted, unlisted]);
});

test("a fallback that cannot be used is a warning, too", async () => {
  const { check, lines, stored } = setUp();
  stored.provider = http("https://sms.example/send");
  stored.fallback = { name: "console", options: {} };
  expect(await check.canSend()).toBe(true);
  expect(lines).toMatchObject([{ err: "the console provider is refused in production" }]);
});

test("email does not count as SMS, and a mail server that is missing is a warning", async () => {
  const { check, lines, stored } = setUp({ SMTP_URL: "smtp://mail.example" });
  stored.provider = http("https://other.example/send");
  stored.fallback = { name: "smtp", options: { from: "latchkey@example.org" } };
  expect(check.isUsable(stored.fallback)).toBe(true);
  expect(await check.canSend()).toBe(false);
  expect(lines).toMatchObject([{ err: "the host of http.url is not in SMS_HTTP_HOSTS" }]);
  const other = setUp();
  other.stored.provider = http("https://sms.example/send");
  other.stored.fallback = stored.fallback;
  expect(await other.check.canSend()).toBe(true);
  expect(other.lines).toMatchObject([{ err: expect.stringContaining("SMTP_URL") as string }]);
});

test("a provider that this worker can use causes no warning", async () => {
  const { check, lines, stored } = setUp();
  stored.provider = http("https://sms.example/send");
  expect(await check.canSend()).toBe(true);
  expect(check.isUsable({ name: "console", options: {} })).toBe(false);
  expect(lines).toMatchObject([{ err: "the console provider is refused in production" }]);
});
