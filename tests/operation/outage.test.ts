import { expect } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { newPhone } from "../../testing/service/people.ts";
import { test } from "../../testing/fixtures.ts";

// Longer than the interval at which the queue polls while it cannot LISTEN.
test.beforeAll(({ service }) => service.set("OTP_SEND_TIMEOUT_SECONDS", 5));

test("a database that is unavailable gives 503 with Retry-After, and the service recovers by itself", async ({
  client,
  service,
}) => {
  const { proxy } = service;
  expect((await client.post("/auth/session/guest")).status).toBe(200);

  await proxy.cut();
  const away = await client.post("/auth/session/guest");
  expect(away).toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE" });
  expect(away.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(away.body.error?.details).toBeNull();
  const health = await client.get("/health");
  expect(health.status).toBe(503);
  expect(health.body.data?.status).toBe("degraded");
  expect(
    (await client.post("/auth/reset-password", { phone: newPhone() })).status,
    "a failure is reported even where accounts are kept secret",
  ).toBe(503);

  await proxy.restore();
  expect((await client.post("/auth/session/guest")).status).toBe(200);
  // Its deadline of a second may be too short for a new connection on a busy machine.
  await eventually("the service is healthy", async () => (await client.get("/health")).body.data?.status === "ok");

  // The worker and the server also start to LISTEN again.
  await eventually("a code is sent and the server is notified of it", async () => {
    const sent = await client.sendOtp(newPhone());
    return sent.status === 200;
  });
});

test("connections that PostgreSQL ends are replaced", async ({ database, client }) => {
  await database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'latchkey_server' and datname = current_database()",
  );
  await eventually(
    "an idle connection's loss is noticed",
    async () => (await client.post("/auth/session/guest")).status === 200,
  );
});
