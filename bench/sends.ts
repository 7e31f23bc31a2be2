import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { memoryOf } from "./parts/cpu.ts";
import { median, printTable, quantile, round, runConcurrently } from "./parts/figures.ts";
import { createLeanClient, nextStranger } from "./parts/lean_client.ts";
import { providerAt, startMeasuredService } from "./parts/measured_service.ts";
import { compare, costColumns, costHeading, type Contender, type Work } from "./parts/rounds.ts";

/**
 * What an SMS costs, through a vendor that answers after 100 ms, beside one row that Express inserts and a bare queue that sends as many
 * messages without any rule; the latency at 50 a second; and with MEMORY=n the worker's memory after each of n times 5,000 sends.
 * OPTIMIZATIONS_OFF=batch shows the same without batches. ROUNDS, PER_ROUND and WIDTH change the size.
 */
const {
  ROUNDS = 5,
  PER_ROUND = 1_000,
  WIDTH = 64,
  SECONDS = 10,
  MEMORY = 0,
  OPTIMIZATIONS_OFF,
} = process.env;
const vendorLatencyMs = 100;
const [width, perRound] = [Number(WIDTH), Number(PER_ROUND)];

const vendor = createServer((request, response) => {
  void text(request).then(async () => {
    await delay(vendorLatencyMs);
    response.end("{}");
  });
});
vendor.keepAliveTimeout = 60_000;
vendor.listen(0, "127.0.0.1");
await once(vendor, "listening");
const vendorUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/`;

const service = await startMeasuredService({ TRUST_PROXY: "loopback", OPTIMIZATIONS_OFF });
try {
  await service.set({ OTP_PROVIDER: providerAt(vendorUrl), OTP_FAILURES_IN_A_ROW: "off" });
  const floor = await service.startFloor();
  const floorWorker = await service.start("bench/parts/floor_worker.ts", "waiting for jobs");
  const ours = createLeanClient(service.url, width);
  const bare = createLeanClient(floor.url, width);
  const { program, postgres } = service.pids;
  const pids = { server: program, worker: service.worker.pid, postgres };

  const send = () => {
    const { phone, headers } = nextStranger();
    const input = { identifier: phone, identifierType: "PHONE", purpose: "SIGNUP" };
    return ours.post("/api/v1/otp/send", { input }, headers);
  };
  const guess: Work = () => {
    const { phone, headers } = nextStranger();
    const wrong = ours.post("/api/v1/auth/register/verify", { phone, otp: "000000" }, headers);
    return wrong.catch((error: unknown) => {
      if (!String(error).includes("INVALID_OTP")) throw error;
    });
  };
  const reset: Work = () => {
    const { phone, headers } = nextStranger();
    return ours.post("/api/v1/auth/reset-password", { phone }, headers);
  };
  const bareSend: Work = () => bare.post("/send", { phone: nextStranger().phone, url: vendorUrl });
  const contenders: Contender[] = [
    { name: "insert", pids: { server: floor.pids.program, postgres }, work: () => bare.post("/insert") },
    {
      name: "bare queue",
      pids: { server: floor.pids.program, worker: floorWorker.pid, postgres },
      work: bareSend,
    },
    { name: "OTP send", pids, work: send },
    { name: "wrong code", pids, work: guess },
    { name: "reset, to nobody", pids, work: reset },
  ];
  const options = { width, perRound, rounds: Number(ROUNDS), warmUp: 3 * perRound };
  const costs = await compare(contenders, options);
  const times = (of: number, at: number) => round(of / (costs[at]?.total ?? NaN), 1);
  printTable([
    ["what", ...costHeading, "× insert's CPU", "× bare queue's"],
    ...costs.map((cost, at) => [
      ...[contenders[at]?.name ?? "", ...costColumns(cost), times(cost.total, 0), times(cost.total, 1)],
    ]),
  ]);

  const latencies: number[] = [];
  const running: Promise<unknown>[] = [];
  for (let at = 0; at < Number(SECONDS) * 50; at++) {
    const startedAt = performance.now();
    running.push(send().then(() => latencies.push(performance.now() - startedAt)));
    await delay(20);
  }
  await Promise.all(running);
  const p95 = quantile(latencies, 0.95);
  console.log(
    `at 50 a second: p50 ${round(median(latencies), 0)} ms, p95 ${round(p95, 0)} ms, ${round(p95 / vendorLatencyMs)} × the vendor's latency`,
  );
  for (let part = 1; part <= Number(MEMORY); part++) {
    await runConcurrently(5_000, width, send);
    console.log(`worker: ${memoryOf(service.worker.pid)} MB after ${part * 5_000} more sends`);
  }
  await ours.close();
  await bare.close();
} finally {
  await service.stop();
  vendor.closeAllConnections();
  vendor.close();
}
