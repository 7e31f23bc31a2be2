import { describe, expect } from "vitest";
import { removeProvider } from "../../testing/service/stored_setting.ts";
import { newPhone } from "../../testing/service/people.ts";
import { eventually } from "../../testing/eventually.ts";
import { test as baseTest } from "../fixtures/send_fixtures.ts";

const test = baseTest
  .extend("sendsCounted", ({ database }) => async (phone: string) => {
    const rows = await database.query<{ count: number }>(
      "select cardinality(hits) as count from platform.rate_limit where key = $1",
      [`OTP_SEND_PER_IDENTIFIER:${phone}`],
    );
    return rows[0]?.count ?? 0;
  })
  .extend(
    "verify",
    ({ client }) =>
      (phone: string, otp: string) =>
        client.post("/auth/register/verify", { phone, otp }),
  );

describe("a provider that fails", () => {
  test("by a definite refusal gives OTP_SEND_FAILED at once, and the send back", async ({
    gateway,
    client,
    sendsCounted,
  }) => {
    gateway.behave(422);
    const phone = newPhone();
    const [answer] = await Promise.all([client.sendOtp(phone), gateway.next(phone)]);
    expect(answer).toMatchObject({ status: 502, code: "OTP_SEND_FAILED" });
    expect(await sendsCounted(phone)).toBe(0);
  });

  test("by an error of its own gives OTP_SEND_FAILED, and nothing back: it may have been sent", async ({
    gateway,
    client,
    sendsCounted,
  }) => {
    gateway.behave(500);
    const phone = newPhone();
    const [answer] = await Promise.all([client.sendOtp(phone), gateway.next(phone)]);
    expect(answer).toMatchObject({ status: 502, code: "OTP_SEND_FAILED" });
    expect(await sendsCounted(phone)).toBe(1);
  });

  test("by silence gives OTP_SEND_FAILED when the time is over, and the late SMS is worthless", async ({
    gateway,
    service,
    client,
    sendsCounted,
    database,
    verify,
  }) => {
    gateway.behave("silent");
    await service.set("OTP_SEND_TIMEOUT_SECONDS", 60);
    const phone = newPhone();
    await client.post("/auth/register", { phone, password: "a good long password" });
    const answer = client.sendOtp(phone);
    const sms = await gateway.next(phone);
    await database.query(
      "update platform.otp_transaction set created_at = created_at - interval '1 minute' where id = $1",
      [sms.id],
    );
    // It wakes the request, which sees that its time is over.
    await database.query("select pg_notify('otp_delivery', private.notification_digest($1))", [sms.id]);
    const failed = await answer;
    expect(failed).toMatchObject({ status: 502, code: "OTP_SEND_FAILED" });
    expect(await sendsCounted(phone)).toBe(1);
    const refusal = await database.query("select what from platform.explain_refusal($1)", [
      failed.headers.get("x-request-id"),
    ]);
    expect(refusal).toContainEqual({
      what: "No vendor confirmed the message with the code for SIGNUP in time: its code is void, even if it arrives.",
    });

    gateway.answerLate(200);
    await eventually("the worker has recorded the late answer", async () => {
      const jobs = await database.query("select from graphile_worker._private_jobs");
      return jobs.length === 0;
    });
    expect((await verify(phone, sms.body.slice(0, 6))).code).toBe("INVALID_OTP");
  });

  test("by being unreachable gives OTP_SEND_FAILED at once, and the send back", async ({
    database,
    service,
    client,
    sendsCounted,
  }) => {
    const [setting] = await database.query<{ value: object }>(
      "select value from settings.configuration where key = 'OTP_PROVIDER'",
    );
    await service.set("OTP_PROVIDER", { ...setting!.value, http: { url: "http://127.0.0.1:1/send" } });
    const phone = newPhone();
    expect(await client.sendOtp(phone)).toMatchObject({ status: 502, code: "OTP_SEND_FAILED" });
    expect(await sendsCounted(phone)).toBe(0);
    await service.set("OTP_PROVIDER", setting!.value);
    expect((await client.sendOtp(phone)).status, "a change of the record needs no restart").toBe(200);
  });

  test("leaves an earlier delivered code valid", async ({ client, gateway, verify }) => {
    const phone = newPhone();
    await client.post("/auth/register", { phone, password: "a good long password" });
    const [, otp] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
    gateway.behave(422);
    const [failed] = await Promise.all([client.sendOtp(phone), gateway.next(phone)]);
    expect(failed.code).toBe("OTP_SEND_FAILED");
    expect((await verify(phone, otp)).status).toBe(200);
  });
});

test("no provider set gives OTP_SEND_FAILED, and the send back", async ({
  database,
  client,
  sendsCounted,
  service,
}) => {
  const stored = await removeProvider(database);
  const phone = newPhone();
  expect(await client.sendOtp(phone)).toMatchObject({ status: 502, code: "OTP_SEND_FAILED" });
  expect(await sendsCounted(phone)).toBe(0);
  await service.set("OTP_PROVIDER", stored);
});

test("no worker gives OTP_SEND_FAILED when the time is over, and the send back: nobody called the vendor", async ({
  startOtherService,
}) => {
  const idle = await startOtherService({ worker: false });
  await idle.set("OTP_SEND_TIMEOUT_SECONDS", 1);
  expect(await idle.client.sendOtp("+12125550199")).toMatchObject({ status: 502, code: "OTP_SEND_FAILED" });
  const [row] = await idle.database.query<{ hits: unknown[] }>(
    "select hits from platform.rate_limit where key = 'OTP_SEND_PER_IDENTIFIER:+12125550199'",
  );
  expect(row?.hits).toEqual([]);
});
