import { setTimeout as delay } from "node:timers/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { cpuOfTrees, memoryOf } from "./cpu.ts";
import { median, quantile, round, runConcurrently } from "./figures.ts";
import { createLeanClient } from "./lean_client.ts";
import { startMeasuredService } from "./measured_service.ts";

/**
 * npm run bench:sends: what an SMS costs, through a vendor that answers after 100 ms. Prints CPU beside that of one committed row
 * inserted by Express in the same run, and beside a bare queue that sends as many messages without any rule, the rate of one worker process, and latency at 50 a second. Compare ratios. With MEMORY=n
 * prints the worker's memory after each of n times 5,000 sends more.
 */
const vendorLatencyMs = 100;
const rounds = Number(process.env.ROUNDS ?? 5);
const perRound = Number(process.env.PER_ROUND ?? 1_000);
const width = Number(process.env.WIDTH ?? 64);

const codes = new Map<string, string>();
const vendor = createServer((request, response) => {
  void text(request).then(async (body) => {
    const { to, body: sms } = JSON.parse(body) as { to: string; body: string };
    codes.set(to, sms.split(" ", 1)[0] ?? "");
    await delay(vendorLatencyMs);
    response.end("{}");
  });
});
vendor.keepAliveTimeout = 60_000;
vendor.listen(0, "127.0.0.1");
await once(vendor, "listening");

const service = await startMeasuredService({
  TRUST_PROXY: "loopback",
  OPTIMIZATIONS_OFF: process.env.OPTIMIZATIONS_OFF,
});
const { serverPid, workerPid, postgresPid } = service;
const bareWorkerPid = await service.startBareWorker();
const ours = createLeanClient(service.url, width);
const bare = createLeanClient(service.bare.url, width);
const set = (key: string, value: unknown) =>
  service.query(
    "insert into settings.configuration (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value",
    [key, JSON.stringify(value)],
  );
const vendorUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/`;
await set("OTP_PROVIDER", {
  ...{ providerToUse: "http", template: "{{code}} {{minutes}}" },
  http: { url: vendorUrl },
});

let phones = 0;
const nextPhone = () => `+1212${String(2_000_000 + phones++)}`;
/** A new client for each request: one that sends so much would be refused. */
const from = (client: number) => ({
  "x-forwarded-for": `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`,
});
const send = () => {
  const input = { identifier: nextPhone(), identifierType: "PHONE", purpose: "SIGNUP" };
  return ours.post("/api/v1/otp/send", { input }, from(phones));
};
const insert = () => bare.post("/insert");
const bareSend = () => bare.post("/send", { phone: nextPhone(), url: vendorUrl });

interface Cpu {
  server: number;
  worker: number;
  postgres: number;
  total: number;
  perSecond: number;
}

async function measure(
  work: (index: number) => Promise<unknown>,
  server: number,
  count = perRound,
  worker = workerPid,
): Promise<Cpu> {
  const used = () => [cpuOfTrees([server]), cpuOfTrees([worker]), cpuOfTrees([postgresPid])];
  const [before, startedAt] = [used(), performance.now()];
  await runConcurrently(count, width, work);
  const took = performance.now() - startedAt;
  const [ofServer = 0, ofWorker = 0, postgres = 0] = used().map(
    (after, at) => (after - (before[at] ?? 0)) / count,
  );
  return {
    ...{ server: ofServer, worker: ofWorker, postgres, total: ofServer + ofWorker + postgres },
    perSecond: (count * 1000) / took,
  };
}

const mediansOf = (costs: Cpu[]): Cpu =>
  Object.fromEntries(
    (["server", "worker", "postgres", "total", "perSecond"] as const).map((key) => [
      key,
      median(costs.map((cost) => cost[key])),
    ]),
  ) as unknown as Cpu;
const describe = ({ server, worker, postgres, total, perSecond }: Cpu) =>
  `${round(total)} ms CPU (server ${round(server)}, worker ${round(worker)}, PostgreSQL ${round(postgres)}), ${round(perSecond, 0)} a second`;

try {
  await runConcurrently(Math.min(3_000, 3 * perRound), width, () => send());
  await runConcurrently(Math.min(3_000, 3 * perRound), width, bareSend);
  await runConcurrently(Math.min(10_000, 10 * perRound), width, insert);
  const sends: Cpu[] = [];
  const bareSends: Cpu[] = [];
  const inserts: Cpu[] = [];
  for (let at = 0; at < rounds; at++) {
    inserts.push(await measure(insert, service.bare.pid));
    sends.push(await measure(() => send(), serverPid));
    bareSends.push(await measure(bareSend, service.bare.pid, perRound, bareWorkerPid));
  }
  const [sent, bareSent, floor] = [mediansOf(sends), mediansOf(bareSends), mediansOf(inserts)];
  console.log(`insert           ${describe(floor)}`);
  console.log(
    `bare queue       ${describe(bareSent)}: ${round(bareSent.total / floor.total, 1)} × the insert`,
  );
  console.log(
    `otp/send         ${describe(sent)}: ${round(sent.total / floor.total, 1)} × the insert, ` +
      `${round(sent.total / bareSent.total)} × the bare queue`,
  );

  const wrong: Cpu[] = [];
  const secondWrong: Cpu[] = [];
  const reset: Cpu[] = [];
  await set("OTP_FAILURES_IN_A_ROW", "off");
  const guess = (phone: string | undefined, client: number) =>
    ours.post("/api/v1/auth/register/verify", { phone, otp: "000000" }, from(client)).catch(() => undefined);
  // Warms up, like the insert: a route whose code V8 has not compiled yet costs a tenth more.
  await runConcurrently(Math.min(3_000, 3 * perRound), width, (index) => guess(nextPhone(), 200_000 + index));
  for (let at = 0; at < rounds; at++) {
    const batch = Array.from({ length: perRound }, nextPhone);
    const verify = (index: number) => guess(batch[index], index);
    // For the first one phone and client are new, so it inserts a row for each limit.
    wrong.push(await measure(verify, serverPid, batch.length));
    secondWrong.push(await measure(verify, serverPid, batch.length));
    reset.push(
      await measure(
        (index) => ours.post("/api/v1/auth/reset-password", { phone: batch[index] }, from(index)),
        serverPid,
        batch.length,
      ),
    );
    await delay(500);
  }
  for (const [name, costs] of [
    ["verify (wrong)  ", wrong],
    ["and once more   ", secondWrong],
    ["reset-password  ", reset],
  ] as const) {
    const cost = mediansOf(costs);
    console.log(`${name} ${describe(cost)}: ${round(cost.total / floor.total, 1)} × the insert`);
  }

  const latencies: number[] = [];
  const running: Promise<unknown>[] = [];
  for (let at = 0; at < 500; at++) {
    const startedAt = performance.now();
    running.push(send().then(() => latencies.push(performance.now() - startedAt)));
    await delay(20);
  }
  await Promise.all(running);
  console.log(
    `at 50 a second   p50 ${round(median(latencies), 0)} ms, p95 ${round(quantile(latencies, 0.95), 0)} ms: ` +
      `${round(quantile(latencies, 0.95) / vendorLatencyMs, 2)} × the vendor's latency`,
  );

  if (process.env.MEMORY) {
    const before = memoryOf(workerPid);
    for (let part = 1; part <= Number(process.env.MEMORY); part++) {
      await runConcurrently(5_000, width, () => send());
      console.log(
        `worker memory    ${memoryOf(workerPid)} MB after ${part * 5_000} sends (${before} MB before)`,
      );
    }
  }
} finally {
  await ours.close();
  await bare.close();
  await service.stop();
  vendor.closeAllConnections();
  vendor.close();
}
