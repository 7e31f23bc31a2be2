import { expect } from "vitest";
import { test } from "../../testing/fixtures.ts";
import { newPhone } from "../../testing/service/people.ts";
import type { TestDatabase } from "../../testing/postgres/test_database.ts";
import { startVendor } from "../../testing/network/vendor_stand_in.ts";

const template = "{{code}} is your code.";
const attemptsFor = (database: TestDatabase, identifier: string) =>
  database.query(
    `select a.provider, a.outcome, a.started_at - lag(a.started_at) over (order by a.started_at) < interval '1 second' as is_early
     from platform.delivery_attempt a join platform.otp_transaction o on o.id = a.otp_id
     where o.identifier = $1 order by a.started_at`,
    [identifier],
  );

test("a vendor that has failed five times in a row is skipped, and the fallback is tried first", async ({
  service,
  client,
  database,
}) => {
  const vendor = await startVendor({ status: 503, body: {} });
  await service.set("OTP_PROVIDER", {
    providerToUse: "http",
    fallback: ["console"],
    template,
    http: { url: vendor.url },
  });
  for (let failures = 0; failures < 5; failures++) {
    const phone = newPhone();
    expect((await client.sendOtp(phone)).status).toBe(200);
    expect(await attemptsFor(database, phone)).toMatchObject([
      { provider: "http", outcome: "uncertain" },
      { provider: "console", outcome: "sent" },
    ]);
  }
  const phone = newPhone();
  expect((await client.sendOtp(phone)).status).toBe(200);
  expect(await attemptsFor(database, phone)).toMatchObject([{ provider: "console", outcome: "sent" }]);
});

test("a Retry-After of one second delays each further attempt by a second", async ({ service, client, database }) => {
  const vendor = await startVendor({ status: 429, body: {}, headers: { "retry-after": "1" } });
  await service.set("OTP_PROVIDER", { providerToUse: "http", template, http: { url: vendor.url } });
  const phone = newPhone();
  expect((await client.sendOtp(phone)).code).toBe("OTP_SEND_FAILED");
  const attempt = { provider: "http", outcome: "declined" };
  expect(await attemptsFor(database, phone)).toEqual([
    { ...attempt, is_early: null },
    { ...attempt, is_early: false },
    { ...attempt, is_early: false },
  ]);
});
