import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { newPhone } from "../../testing/people.ts";
import { startService, type Service } from "../../testing/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
  // Longer than the queue polls while its own LISTEN is not back yet.
  await service.set("OTP_SEND_TIMEOUT_SECONDS", 5);
});
afterAll(() => service.stop());

test("a database that is away gives 503 with Retry-After, and the service recovers by itself", async () => {
  const { client, proxy } = service;
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
    "a fault is no secret",
  ).toBe(503);

  await proxy.restore();
  expect((await client.post("/auth/session/guest")).status).toBe(200);
  expect((await client.get("/health")).body.data?.status).toBe("ok");

  // The worker's LISTEN and ours come back by themselves too.
  await eventually("a code is sent and its delivery heard of again", async () => {
    const sent = await client.sendOtp(newPhone());
    return sent.status === 200;
  });
});

test("connections that PostgreSQL ends are replaced", async () => {
  await service.database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'latchkey_server' and datname = current_database()",
  );
  await eventually(
    "an idle connection's loss is noticed",
    async () => (await service.client.post("/auth/session/guest")).status === 200,
  );
});
