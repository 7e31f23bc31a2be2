import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { expect } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { adminOf, askGraphql } from "../../testing/graphql/graphql_client.ts";
import { samplesOf, valueOf } from "../../testing/metrics_text.ts";
import { goodPassword, logIn, newPhone, signUp } from "../../testing/service/people.ts";
import { bearer } from "../../testing/service/rest_client.ts";
import type { Service } from "../../testing/service/service.ts";

const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({ env: { OPERATIONS_PORT: "0" } }));

type Expected = [name: string, labels: Record<string, string>, value: number];

/** A port collects again after a second, and a server asks the database after five. */
async function expectMetrics(service: Service, program: "server" | "graphql" | "worker", expected: Expected[]) {
  let text = "";
  const read = () => expected.map(([name, labels]) => [name, labels, valueOf(text, name, labels)]);
  await eventually(`the metrics of ${program}`, async () => {
    text = await service.metricsOf(program);
    return JSON.stringify(read()) === JSON.stringify(expected);
  }).catch((error: unknown) => {
    expect(read()).toEqual(expected);
    throw error;
  });
}

test("the server counts requests, limits, sessions and batches, and says what its pools and queues hold", async ({
  service,
}) => {
  const { client, set } = service;
  const person = await signUp(service);
  const { access_token } = await logIn(service, person);
  expect((await client.post("/auth/login", { phone: person.phone, password: "not this one" })).status).toBe(401);
  await client.post("/auth/logout", undefined, bearer(access_token));
  const stolen = await logIn(service, person);
  await client.refresh(stolen.refresh_token);
  await service.database.query("update \"user\".session set rotated_at = rotated_at - interval '1 hour'");
  for (const reason of ["token_reused", undefined])
    expect((await client.refresh(stolen.refresh_token)).body.error).toMatchObject({
      code: "SESSION_REVOKED",
      details: reason === undefined ? null : { reason },
    });
  await set("OTP_SEND_PER_IP", "1/60");
  expect((await client.sendOtp(newPhone())).status).toBe(429);
  await set("OTP_SEND_PER_IP", "1000/1");

  const login = { method: "POST", route: "/api/v1/auth/login" };
  await expectMetrics(service, "server", [
    ["latchkey_http_requests_total", { ...login, status: "200", code: "none" }, 2],
    ["latchkey_http_requests_total", { ...login, status: "401", code: "INVALID_REQUEST" }, 1],
    ["latchkey_http_request_duration_seconds_count", login, 3],
    ["latchkey_limits_hit_total", { limit: "OTP_SEND_PER_IP" }, 1],
    ["latchkey_sessions_opened_total", { by: "password" }, 2],
    ["latchkey_sessions_revoked_total", { reason: "logout" }, 1],
    ["latchkey_sessions_revoked_total", { reason: "token_reused" }, 1],
    ["latchkey_batch_calls_count", { function: "send_otp" }, 2],
    ["latchkey_batch_waiting", { function: "send_otp" }, 0],
    ["latchkey_pool_size", { pool: "fast" }, 10],
    ["latchkey_pool_waiting", { pool: "fast" }, 0],
    ["latchkey_password_calls", { state: "waiting" }, 0],
    ["latchkey_row_waiting", {}, 0],
    ["latchkey_forwarded_sockets", {}, 0],
    ["latchkey_database_answers", {}, 1],
  ]);
});

test("the worker counts messages by vendor, outcome and country, and its jobs", async ({ startOtherService }) => {
  const service = await startOtherService({ env: { OPERATIONS_PORT: "0" } });
  const { client, gateway } = service;
  await client.sendOtp(newPhone());
  gateway.behave(400);
  expect((await client.sendOtp("+4915112345678")).status).toBe(502);
  await expectMetrics(service, "worker", [
    ["latchkey_messages_total", { provider: "http", channel: "sms", outcome: "sent" }, 1],
    ["latchkey_messages_by_country_total", { country: "US", outcome: "sent" }, 1],
    ["latchkey_messages_by_country_total", { country: "DE", outcome: "refused" }, 1],
    ["latchkey_vendor_duration_seconds_count", { provider: "http" }, 2],
    ["latchkey_job_duration_seconds_count", { task: "send_otp", result: "done" }, 2],
    ["latchkey_provider_paused", { provider: "http" }, 0],
    ["latchkey_pool_waiting", { pool: "worker" }, 0],
  ]);
});

test("the server says what the queue, the workers and the fraud rules do, and how many codes are used", async ({
  startOtherService,
}) => {
  const service = await startOtherService({ env: { OPERATIONS_PORT: "0" } });
  const { database } = service;
  await signUp(service);
  await service.client.sendOtp(newPhone());
  await database.query("update platform.send_decision set at = at - interval '6 minutes'");
  await database.query(
    `update settings.configuration c set value = c.value || '{"mode": "record", "blocked": ["+1212"]}' where c.key = 'FRAUD_CALLING_CODES'`,
  );
  await service.client.sendOtp(newPhone());
  await database.query(
    `select graphile_worker.add_job('nobody does this', run_at => now() - interval '40 seconds', job_key => 'one', job_key_mode => 'unsafe_dedupe');
     select graphile_worker.add_job('nobody does this', run_at => now() + interval '1 hour', job_key => 'two', job_key_mode => 'unsafe_dedupe')`,
  );
  await expectMetrics(service, "server", [
    ["latchkey_queue_jobs", { state: "due" }, 1],
    ["latchkey_queue_jobs", { state: "later" }, 1],
    ["latchkey_workers", { can_send: "yes" }, 1],
    ["latchkey_codes_sent_recently", { country: "US", provider: "http" }, 2],
    ["latchkey_codes_verified_recently", { country: "US", provider: "http" }, 1],
    ["latchkey_fraud_verdicts_recently", { verdict: "recorded", rule: "FRAUD_CALLING_CODES" }, 1],
  ]);
  expect(valueOf(await service.metricsOf("server"), "latchkey_queue_oldest_seconds")).toBeGreaterThan(39);
});

test("GraphQL counts refusals by limit and the admin's changes, over HTTP and sockets", async ({
  service,
  database,
}) => {
  const admin = askGraphql(service.url, adminOf(database));
  const person = await signUp(service);
  const { access_token } = await logIn(service, person);
  const user = askGraphql(service.url, bearer(access_token));
  const fields = (count: number) => Array.from({ length: count }, (_, n) => `f${n}: __typename`).join(" ");
  expect((await user(`{ ${fields(51)} }`)).body.errors?.[0]?.extensions.code).toBe("limit-exceeded");
  const [account] = await database.query<{ id: string }>(`select id from "user".account where phone = $1`, [
    person.phone,
  ]);
  await admin("mutation ($id: uuid!) { revoke_sessions_of(user_id: $id) { id } }", { id: account?.id });
  await expectMetrics(service, "graphql", [
    ["latchkey_limits_hit_total", { limit: "maxRootFields" }, 1],
    ["latchkey_admin_changes_total", { action: "revoke_sessions_of" }, 1],
    ["latchkey_sockets", { class: "users" }, 0],
    ["latchkey_subscriptions", {}, 0],
    ["latchkey_pool_waiting", { pool: "admin" }, 0],
  ]);
});

test("10,000 odd requests make no series of their own, and no label has what they carried", async ({ service }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const routes = ["/auth/login", "/otp/send", "/auth/sessions", "/auth/factors", "/nothing"];
  const methods = ["GET", "POST", "DELETE", "PUT", "PATCH", "PROPFIND", "MKCOL", "REPORT", "LOCK"];
  const ask = (number: number) =>
    new Promise<void>((resolve, reject) => {
      const path = `/api/v1${routes[number % routes.length]}/${randomUUID()}?phone=+1212555${number}`;
      const headers = {
        "x-request-id": randomUUID(),
        "user-agent": randomUUID(),
        authorization: `Bearer ${randomUUID()}`,
      };
      const method = methods[number % methods.length];
      request(
        service.url + (number % 3 === 0 ? path.replace(/\/[^/]*$/, "") : path),
        { agent, method, headers },
        (response) => response.resume().once("end", resolve),
      )
        .once("error", reject)
        .end();
    });
  const before = samplesOf(await service.metricsOf("server")).length;
  for (let number = 0; number < 10_000; number += 100)
    await Promise.all(Array.from({ length: 100 }, (_, position) => ask(number + position)));
  agent.destroy();

  let text = "";
  await eventually("all are counted", async () => {
    text = await service.metricsOf("server");
    return (valueOf(text, "latchkey_http_requests_total") ?? 0) >= 10_000;
  });
  const samples = samplesOf(text);
  // A dozen of them: by method and route, each with its buckets.
  expect(samples.length - before).toBeLessThan(600);
  expect(new Set(samples.map(({ labels }) => labels.method))).not.toContain("PROPFIND");
  for (const { labels } of samples)
    for (const value of Object.values(labels)) expect(value).not.toMatch(/[0-9a-f]{8}-|\+?\d{7}|Bearer|phone=/);
});

test("what hangs or floods on the port of the metrics does not delay a sign-in", async ({ service }) => {
  const person = await signUp(service);
  const scrapes = await Promise.allSettled(Array.from({ length: 200 }, () => service.metricsOf("server")));
  expect(scrapes.some(({ status }) => status === "fulfilled")).toBe(true);
  expect((await service.client.post("/auth/login", { ...person, password: goodPassword })).status).toBe(200);
});
