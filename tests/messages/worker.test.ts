import { queueOtp } from "../../testing/queued_otp.ts";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { newPhone } from "../../testing/service/people.ts";
import type { Service } from "../../testing/service/service.ts";
import type { TestDatabase } from "../../testing/postgres/test_database.ts";
import { test } from "../fixtures/worker_harness.ts";

test("the SMS that a killed worker was sending is sent by another one, and its code is valid", async ({
  harness,
  person,
  client,
  gateway,
}) => {
  gateway.behave("silent");
  const killed = await harness.spawn();
  await harness.requestReset();
  const firstCode = await gateway.nextCode(person.phone);
  await harness.ageLocks();
  expect(await harness.unlockDeadWorkers(), "a live worker keeps its job").toBe(0);

  killed.kill("SIGKILL");
  await once(killed, "exit");
  gateway.behave(200);
  await harness.start();
  const secondCode = await gateway.nextCode(person.phone);
  expect(secondCode).not.toBe(firstCode);
  await eventually("the job is done", async () => (await harness.jobs()).length === 0);

  const newPassword = "another fine password";
  const verify = (otp: string) => client.post("/auth/reset-password/verify", { phone: person.phone, otp, newPassword });
  expect((await verify(firstCode)).code).toBe("INVALID_OTP");
  expect((await verify(secondCode)).status).toBe(200);
});

/**
 * Queues an SMS as if PostgreSQL had locked its job for the worker that has the other job, and the answer that names it
 * had been lost. Both jobs were locked a minute ago.
 */
const queueLostJob = (database: TestDatabase, phone: string) =>
  database.query(`
    select ${queueOtp(`'${phone}'`)};
    update graphile_worker._private_jobs
    set locked_by = (select max(locked_by) from graphile_worker._private_jobs), locked_at = now() - interval '1 minute'`);

test("a job that was locked for a worker but never reached it is sent, and one that the worker runs is not sent again", async ({
  harness,
  person,
  service: { database },
  gateway,
}) => {
  gateway.behave("silent");
  await harness.start();
  await harness.untilWorkerLives();
  await harness.requestReset();
  await gateway.nextCode(person.phone);
  const sent = () => gateway.received.filter(({ to }) => to === person.phone).length;
  const [before, other] = [sent(), newPhone()];
  await queueLostJob(database, other);
  await gateway.nextCode(other);
  expect(sent()).toBe(before);
});

test("a job that has ended is not sent again while its deletion from the queue is delayed", async ({
  harness,
  person,
  service: { database },
  gateway,
}) => {
  // Simulates a lost connection during the deletion, which the queue retries.
  await database.query(`
    create function public.refuse() returns trigger language plpgsql as $$ begin raise serialization_failure; end $$;
    create trigger refuse before delete on graphile_worker._private_jobs for each row execute function public.refuse()`);
  onTestFinished(() => database.query("drop function public.refuse() cascade").then(() => undefined));
  await harness.start();
  await harness.untilWorkerLives();
  await harness.requestReset();
  await gateway.nextCode(person.phone);
  const sent = () => gateway.received.filter(({ to }) => to === person.phone).length;
  const before = sent();
  const other = newPhone();
  await queueLostJob(database, other);
  // The check that unlocks this job has checked the ended one, too.
  await gateway.nextCode(other);
  expect(sent()).toBe(before);
  const [ended] = await database.query<{ untouched: boolean }>(
    "select locked_at < now() - interval '40 seconds' as untouched from graphile_worker._private_jobs order by id limit 1",
  );
  expect(ended?.untouched, "the ended job was not fetched again").toBe(true);
});

test("a worker has the clean-up among its scheduled tasks", async ({ harness, database }) => {
  // The tests' databases postpone it (testing/run/global_setup.ts).
  await database.query("delete from graphile_worker._private_known_crontabs");
  onTestFinished(() =>
    database
      .query("update graphile_worker._private_known_crontabs set last_execution = now() + interval '1 day'")
      .then(() => undefined),
  );
  await harness.start();
  await eventually("it is registered", async () => {
    const rows = await database.query(
      "select from graphile_worker._private_known_crontabs where identifier = 'clean_up'",
    );
    return rows.length === 1;
  });
});

test("a worker exits with code 0 on SIGTERM", async ({ harness }) => {
  const child = await harness.spawn();
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

/** Makes the service send SMS to that URL and returns the URL used before. */
async function useGateway({ database }: Service, url: string): Promise<string> {
  const [row] = await database.query<{ url: string }>(
    `with before as (select value #>> '{http,url}' as url from settings.configuration where key = 'OTP_PROVIDER')
     update settings.configuration c set value = jsonb_set(value, '{http,url}', to_jsonb($1::text))
     from before where c.key = 'OTP_PROVIDER' returning before.url`,
    [url],
  );
  return row!.url;
}

test("a worker that is stopped while it sends waits for the gateway's answer and records it", async ({
  harness,
  service,
  person,
}) => {
  const responses: ServerResponse[] = [];
  const slowGateway = createServer((_request, response) => responses.push(response)).listen(0, "127.0.0.1");
  await once(slowGateway, "listening");
  const url = `http://127.0.0.1:${(slowGateway.address() as AddressInfo).port}/`;
  const urlBefore = await useGateway(service, url);
  onTestFinished(async () => {
    await useGateway(service, urlBefore);
    slowGateway.close();
  });

  const worker = await harness.start();
  await harness.requestReset();
  await eventually("the gateway receives a request", () => responses.length > 0);
  const stopped = worker.stop();
  responses[0]?.end();
  await stopped;
  expect(await harness.jobs()).toEqual([]);
  const [otp] = await service.database.query(
    "select delivery from platform.otp_transaction where identifier = $1 order by id desc limit 1",
    [person.phone],
  );
  expect(otp).toEqual({ delivery: "sent" });
});

test("a worker that is stopped while the gateway is silent leaves its job unlocked for another worker", async ({
  harness,
  gateway,
  person,
}) => {
  gateway.behave("silent");
  const child = await harness.spawn();
  await harness.requestReset();
  await gateway.next(person.phone);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect((await harness.jobs()).map(({ locked }) => locked)).toEqual([false]);
});

test("a job's payload is the ids of a one-time password and of the request, and nothing else", async ({
  harness,
  service,
  person,
}) => {
  await service.set("OTP_SEND_TIMEOUT_SECONDS", 1);
  const stranger = newPhone();
  const [start] = await service.database.query<{ at: Date }>("select clock_timestamp() as at");
  await harness.requestReset();
  await harness.requestReset(stranger);
  await Promise.all([service.client.sendOtp(person.phone, "LOGIN"), service.client.sendOtp(stranger)]);
  const ids = await service.database.query<{ id: string }>(
    "select id from platform.otp_transaction where identifier in ($1, $2) and created_at > $3",
    [person.phone, stranger, start?.at],
  );
  const payloads = (await harness.jobs()).map(({ payload }) => payload);
  expect(payloads).toHaveLength(4);
  for (const payload of payloads) {
    expect(payload).toEqual({ otp_id: expect.any(String) as string, request_id: expect.any(String) as string });
    expect(Object.values(payload).join()).toMatch(/^[0-9a-f-]{36},[0-9a-f-]{36}$/);
  }
  expect(payloads.map(({ otp_id }) => otp_id).sort()).toEqual(ids.map(({ id }) => id).sort());
});
