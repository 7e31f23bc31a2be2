import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { workerConfig } from "../config/config.ts";
import { createLog } from "../runtime/log.ts";
import { eventually } from "../testing/eventually.ts";
import { raceBehindLock } from "../testing/lock_race.ts";
import { clearRateLimits, newPhone, signUp, type Person } from "../testing/people.ts";
import { startService, type Service } from "../testing/service.ts";
import { startWorker, type RunningWorker } from "./worker.ts";

let service: Service;
let person: Person;
beforeAll(async () => {
  service = await startService({ worker: false });
  const worker = await start();
  person = await signUp(service);
  await worker.stop();
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.gateway.behave(200);
  await service.database.query("delete from graphile_worker._private_jobs");
  await clearRateLimits(service, person.phone);
});

const start = (): Promise<RunningWorker> =>
  startWorker(workerConfig(service.database.env), createLog("test", "silent"));
const requestPasswordReset = (phone = person.phone) => service.client.post("/auth/reset-password", { phone });

interface Job {
  payload: Record<string, unknown>;
  locked: boolean;
}
const jobs = () =>
  service.database.query<Job>(
    "select payload, locked_at is not null as locked from graphile_worker._private_jobs order by id",
  );
/** As if all of the jobs had been taken a minute ago. */
const ageJobs = () =>
  service.database.query(
    "update graphile_worker._private_jobs set locked_at = locked_at - interval '1 minute' where locked_at is not null",
  );
const unlockDeadWorkers = async () => {
  const [row] = await service.database.query<{ count: number }>(
    "select delivery.unlock_dead_workers() as count",
  );
  return row?.count;
};

/** The connections by which workers show that they live. */
async function livenessPids(): Promise<number[]> {
  const rows = await service.database.query<{ pid: number }>(
    `select pid from pg_locks l join pg_stat_activity a using (pid)
     where a.datname = current_database() and a.application_name = 'latchkey worker liveness'
       and l.locktype = 'advisory' and l.granted`,
  );
  return rows.map(({ pid }) => pid);
}
const aWorkerLives = (before: number[] = []) =>
  eventually("a worker shows that it lives", async () =>
    (await livenessPids()).some((pid) => !before.includes(pid)),
  );

/** A worker in a process of its own. */
async function spawnWorker(): Promise<ChildProcess> {
  const env = { ...process.env, ...service.database.env };
  const before = await livenessPids();
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts")], { env, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  await aWorkerLives(before);
  return child;
}

test("the SMS that a killed worker was sending is sent by another one, and its code is good", async () => {
  const { client, gateway } = service;
  gateway.behave("silent");
  const killed = await spawnWorker();
  await requestPasswordReset();
  const unanswered = await gateway.nextCode(person.phone);
  await ageJobs();
  expect(await unlockDeadWorkers(), "while it lives its job is its own").toBe(0);

  killed.kill("SIGKILL");
  await once(killed, "exit");
  gateway.behave(200);
  const other = await start();
  onTestFinished(() => other.stop());
  const otp = await gateway.nextCode(person.phone);
  expect(otp).not.toBe(unanswered);
  await eventually("the job is done", async () => (await jobs()).length === 0);

  const newPassword = "another fine password";
  const verify = (code: string) =>
    client.post("/auth/reset-password/verify", { phone: person.phone, otp: code, newPassword });
  expect((await verify(unanswered)).code).toBe("INVALID_OTP");
  expect((await verify(otp)).status).toBe(200);
});

test("a worker that is told to stop has nothing locked and says so with exit code 0", async () => {
  const child = await spawnWorker();
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("a worker that is told to stop while it sends waits for the gateway's answer and records it", async () => {
  const waiting: ServerResponse[] = [];
  const slow = createServer((_request, response) => waiting.push(response)).listen(0, "127.0.0.1");
  await once(slow, "listening");
  const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`;
  const before = await useGateway(url);
  onTestFinished(async () => {
    await useGateway(before);
    slow.close();
  });

  const worker = await start();
  await requestPasswordReset();
  await eventually("the gateway is asked", () => waiting.length > 0);
  const stopped = worker.stop();
  waiting[0]?.end();
  await stopped;
  expect(await jobs()).toEqual([]);
  const [otp] = await service.database.query(
    "select delivery from platform.otp_transaction where identifier = $1 order by id desc limit 1",
    [person.phone],
  );
  expect(otp).toEqual({ delivery: "sent" });
});

test("a worker that is told to stop while the gateway is silent leaves no job locked, and the SMS to another", async () => {
  service.gateway.behave("silent");
  const child = await spawnWorker();
  await requestPasswordReset();
  await service.gateway.next(person.phone);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect((await jobs()).map(({ locked }) => locked)).toEqual([false]);
});

/** Sends SMS to that address; result: where they were sent before. */
async function useGateway(url: string): Promise<string> {
  const [row] = await service.database.query<{ url: string }>(
    `with before as (select value #>> '{http,url}' as url from settings.configuration where key = 'OTP_PROVIDER')
     update settings.configuration c set value = jsonb_set(value, '{http,url}', to_jsonb($1::text))
     from before where c.key = 'OTP_PROVIDER' returning before.url`,
    [url],
  );
  return row!.url;
}

test("the queue holds the id of a one-time password and nothing else", async () => {
  await service.set("OTP_SEND_TIMEOUT_SECONDS", 1);
  const stranger = newPhone();
  await requestPasswordReset();
  await requestPasswordReset(stranger);
  await Promise.all([service.client.sendOtp(person.phone, "LOGIN"), service.client.sendOtp(stranger)]);
  const ids = await service.database.query<{ id: string }>(
    "select id from platform.otp_transaction where identifier in ($1, $2) and delivery in ('queued', 'cancelled')",
    [person.phone, stranger],
  );
  const payloads = (await jobs()).map(({ payload }) => payload);
  expect(payloads).toHaveLength(4);
  for (const payload of payloads) expect(payload).toEqual({ otp_id: expect.any(String) as string });
  expect(payloads.map(({ otp_id }) => otp_id).sort()).toEqual(ids.map(({ id }) => id).sort());
});

test("a worker all of whose connections are ended works on, and shows again that it lives", async () => {
  const worker = await start();
  onTestFinished(() => worker.stop());
  await aWorkerLives();
  const before = await livenessPids();
  const ended = await service.database.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and usename = 'latchkey_worker'`,
  );
  expect(ended.length).toBeGreaterThanOrEqual(2);

  await requestPasswordReset();
  await service.gateway.next(person.phone);
  await aWorkerLives(before);
});

test.each([
  { name: "completes", answer: 200, left: 0 },
  { name: "fails", answer: 500, left: 1 },
])("a connection that is lost while it $name a job costs no job", async ({ answer, left }) => {
  service.gateway.behave("silent");
  const worker = await start();
  onTestFinished(() => worker.stop());
  await requestPasswordReset();
  await service.gateway.next(person.phone);
  const released = "select from graphile_worker._private_jobs where locked_at is null";

  const lock = { text: "select from graphile_worker._private_jobs for update", values: [] };
  await raceBehindLock(
    service.database,
    lock,
    1,
    () => {
      service.gateway.answerLate(answer);
      return Promise.resolve();
    },
    async () => {
      const ended = await service.database.query(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity
         where datname = current_database() and usename = 'latchkey_worker' and wait_event_type = 'Lock'`,
      );
      expect(ended).toHaveLength(1);
    },
  );
  await eventually("the job is done, or free for another attempt", async () =>
    left === 0 ? (await jobs()).length === 0 : (await service.database.query(released)).length === 1,
  );
});
