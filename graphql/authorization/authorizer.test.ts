import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { collectLog } from "../../testing/log_lines.ts";
import { respondWith, startWebhook } from "../../testing/graphql/fake_webhook.ts";
import { createAuthorizer } from "./authorizer.ts";

type Options = Parameters<typeof createAuthorizer>[0];

function startAuthorizer(webhookUrl: string, options: Partial<Options> = {}) {
  const authorizer = createAuthorizer({
    webhookUrl,
    webhookSecret: undefined,
    adminSecrets: [{ name: undefined, secret: "secret" }],
    database: {
      findSession: () => Promise.resolve(undefined),
      countAdminFailure: () => Promise.resolve(undefined),
    },
    log: collectLog().log,
    ...options,
  });
  onTestFinished(() => authorizer.stop());
  return authorizer;
}

test("calls of the webhook are fair to clients: many requests of one address delay another's by one", async () => {
  const held: { name: string; response: ServerResponse }[] = [];
  const webhook = await startWebhook(
    (request, response) => void held.push({ name: String(request.headers.authorization), response }),
  );
  onTestFinished(() => webhook.stop());
  const authorizer = startAuthorizer(webhook.url, { timeoutMs: 60_000 });
  const ask = (name: string, address: string) =>
    void authorizer.authorize({ authorization: name }, address).catch(() => undefined);

  for (let index = 0; index < 100; index++) ask("many", "192.0.2.1");
  ask("one", "192.0.2.2");
  await eventually("the maximum number of calls is in flight", () => held.length === 16);
  for (let index = 0; index < 2; index++) held[index]?.response.writeHead(401).end();
  await eventually("two more calls are in flight", () => held.length === 18);
  expect(held.slice(16).map(({ name }) => name)).toContain("one");
});

test("a flood of one address fills neither the memory nor the places of others", async () => {
  const webhook = await startWebhook(() => undefined);
  onTestFinished(() => webhook.stop());
  const authorizer = startAuthorizer(webhook.url, { timeoutMs: 60_000 });
  const failed: string[] = [];
  const ask = (name: string, address: string) =>
    void authorizer.authorize({ authorization: name }, address).catch(() => failed.push(name));
  // 16 are in flight and 1,000 wait.
  for (let index = 0; index < 1_016; index++) ask(`many ${index}`, "192.0.2.1");
  ask("one", "192.0.2.2");
  ask("one more of many", "192.0.2.1");
  await eventually("two were refused", () => failed.length > 1);
  expect(failed).toEqual(["many 1015", "one more of many"]);
});

test("the line of a failed call carries the id of the request that caused it", async () => {
  const webhook = await startWebhook(respondWith(500, {}));
  onTestFinished(() => webhook.stop());
  const { log, lines } = collectLog();
  const authorizer = startAuthorizer(webhook.url, { log });
  const request = { log: log.child({ requestId: "the-request" }) };
  await expect(authorizer.authorize({}, "192.0.2.1", request)).rejects.toThrow("webhook failed");
  expect(lines).toMatchObject([{ requestId: "the-request", err: "the webhook answered 500" }]);
});

test("the text of an answer that is not JSON is not logged: it may hold a secret", async () => {
  const webhook = await startWebhook((_request, response) => void response.end("secret=hunter2"));
  onTestFinished(() => webhook.stop());
  const { log, lines } = collectLog();
  const authorizer = startAuthorizer(webhook.url, { log });
  await expect(authorizer.authorize({}, "192.0.2.1")).rejects.toThrow("webhook failed");
  expect(lines).toMatchObject([{ err: "the webhook's answer is not JSON" }]);
});

test("an answer without Expires is valid for five minutes from each call", async () => {
  const answer = { "X-Hasura-Role": "guest", "X-Hasura-Session-Id": randomUUID() };
  const webhook = await startWebhook(respondWith(200, answer));
  onTestFinished(() => webhook.stop());
  const authorizer = startAuthorizer(webhook.url);
  for (let times = 0; times < 2; times++) {
    const before = Date.now();
    const { expires } = await authorizer.authorize({}, "192.0.2.1");
    expect(expires!.getTime()).toBeGreaterThanOrEqual(before + 300_000);
    expect(expires!.getTime()).toBeLessThanOrEqual(Date.now() + 300_000);
  }
});
