import { expect, onTestFinished } from "vitest";
import { serverConfig } from "../../config/config.ts";
import { notificationDigest } from "../../runtime/database/notifications.ts";
import { newPhone } from "../../testing/service/people.ts";
import { test } from "../fixtures/send_fixtures.ts";
import { startTcpProxy } from "../../testing/network/tcp_proxy.ts";

test("a newer code replaces the one before it, which is then wrong", async ({ client, gateway }) => {
  const phone = newPhone();
  const verify = (otp: string) => client.post("/auth/register/verify", { phone, otp });
  await client.post("/auth/register", { phone, password: "a good long password" });
  const [, first] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  const [, second] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  if (first !== second) expect((await verify(first)).code).toBe("INVALID_OTP");
  expect((await verify(second)).status).toBe(200);
});

test("an EMAIL code is stored and nothing is sent", async ({ gateway, client, database }) => {
  const before = gateway.received.length;
  const answer = await client.post("/otp/send", {
    input: { identifier: " Someone@Example.COM ", identifierType: "EMAIL", purpose: "LOGIN" },
  });
  expect(answer.status).toBe(200);
  const rows = await database.query(
    "select identifier, delivery, code_hash is not null as hashed from platform.otp_transaction where id = $1",
    [answer.body.data?.otpId],
  );
  expect(rows).toEqual([{ identifier: "someone@example.com", delivery: "stored", hashed: true }]);
  expect(gateway.received.length).toBe(before);
});

test("the queue carries the ids of the one-time password and of the request, and nothing else", async ({
  startOtherService,
}) => {
  const idle = await startOtherService({ worker: false });
  await idle.client.post("/auth/reset-password", { phone: newPhone() });
  const jobs = await idle.database.query<{ payload: object }>("select payload from graphile_worker._private_jobs");
  const otps = await idle.database.query<{ id: string }>("select id from platform.otp_transaction");
  expect(jobs.map(({ payload }) => payload)).toEqual(
    otps.map(({ id }) => ({ otp_id: id, request_id: expect.any(String) as string })),
  );
});

test("a waiting request is answered although the listening connection is lost: the row decides", async ({
  service,
  database,
}) => {
  const { SERVER_DATABASE_URL } = serverConfig(database.env);
  const proxy = await startTcpProxy(database.superuserUrl);
  onTestFinished(() => proxy.stop());
  const server = await service.startAnotherServer({
    SERVER_DATABASE_DIRECT_URL: proxy.through(SERVER_DATABASE_URL),
  });
  onTestFinished(() => server.stop());
  await proxy.cut();
  const send = async (seconds: number) => {
    await service.set("OTP_SEND_TIMEOUT_SECONDS", seconds);
    return server.client.sendOtp(newPhone());
  };
  let seconds = 2;
  let answer = await send(seconds);
  // On a busy machine the time may be over before the SMS is sent.
  while (answer.status !== 200 && seconds < 32) answer = await send((seconds *= 2));
  expect(answer.status).toBe(200);
});

test("a forged notification neither makes a failed send succeed nor cancels one that succeeds", async ({
  gateway,
  client,
  database,
  service,
}) => {
  await service.set("OTP_SEND_TIMEOUT_SECONDS", 60);
  const idOf = async (phone: string): Promise<string> => {
    const [row] = await database.query<{ id: string }>(
      "select id from platform.otp_transaction where identifier = $1",
      [phone],
    );
    return row?.id ?? "";
  };
  const notify = (payload: string) => database.query("select pg_notify('otp_delivery', $1)", [payload]);

  gateway.behave("silent");
  const [lost, late] = [newPhone(), newPhone()];
  const answers = [lost, late].map((phone) => client.sendOtp(phone));
  for (const phone of [lost, late]) {
    await gateway.next(phone);
    const id = await idOf(phone);
    // The server receives each of them, in this order, before the vendor answers.
    const digest = notificationDigest(id);
    for (const payload of [`${digest} sent`, `${digest} refused`, digest, id, "x".repeat(7_999)]) await notify(payload);
  }
  await database.query("update platform.otp_transaction set delivery = 'refused' where identifier = $1", [lost]);
  await notify(notificationDigest(await idOf(lost)));
  expect(await answers[0]).toMatchObject({ status: 502, code: "OTP_SEND_FAILED" });
  gateway.answerLate(200);
  expect(await answers[1]).toMatchObject({ status: 200 });
});
