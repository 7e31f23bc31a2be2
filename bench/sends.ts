import { setTimeout as delay } from "node:timers/promises";
import { memoryOf } from "./parts/cpu.ts";
import { median, printTable, quantile, round, runConcurrently } from "./parts/figures.ts";
import { createLeanClient, nextStranger } from "./parts/lean_client.ts";
import { providerAt, startMeasuredService } from "./parts/measured_service.ts";
import { compare, costColumns, costHeading, type Contender } from "./parts/rounds.ts";
import { ours } from "./parts/route_work.ts";
import { startSmsGateway } from "../testing/network/sms_gateway.ts";

/**
 * What an SMS costs, through a vendor that answers after 100 ms, beside one row that Express inserts and a bare queue
 * that sends as many messages without any rule; the latency at 50 a second; and with MEMORY=n the worker's memory after
 * each of n times 5,000 sends. OPTIMIZATIONS_OFF=batch shows the same without batches. ROUNDS, PER_ROUND and WIDTH
 * change the size.
 */
const { ROUNDS = 5, PER_ROUND = 1_000, WIDTH = 64, SECONDS = 10, MEMORY = 0, OPTIMIZATIONS_OFF } = process.env;
const vendorLatencyMs = 100;
const options = {
  width: Number(WIDTH),
  perRound: Number(PER_ROUND),
  rounds: Number(ROUNDS),
  warmUp: 3 * Number(PER_ROUND),
};
const plan = { width: options.width, count: options.warmUp + options.rounds * options.perRound };

const vendor = await startSmsGateway(0, () => vendorLatencyMs);
const service = await startMeasuredService({ TRUST_PROXY: "loopback", OPTIMIZATIONS_OFF });
try {
  await service.set({ OTP_PROVIDER: providerAt(vendor.url) });
  const floor = await service.startFloor();
  const floorWorker = await service.start("bench/parts/floor_worker.ts", "waiting for jobs");
  const bare = createLeanClient(floor.url, options.width);
  const { work, close } = ours(service, service);
  const send = await work["OTP send"](plan);
  const pids = { ...service.pids, worker: service.worker.pid };
  const contenders: Contender[] = [
    { name: "insert", pids: floor.pids, work: () => bare.post("/insert") },
    {
      name: "bare queue",
      pids: { ...floor.pids, worker: floorWorker.pid },
      work: () => bare.post("/send", { phone: nextStranger().phone, url: vendor.url }),
    },
    { name: "OTP send", pids, work: send },
    { name: "wrong code", pids, work: await work["wrong code"](plan) },
    { name: "reset, to nobody", pids, work: await work["reset, to nobody"](plan) },
  ];
  const costs = await compare(contenders, options);
  const times = (of: number, at: number) => round(of / (costs[at]?.total ?? NaN), 1);
  printTable([
    ["what", ...costHeading, "× insert's CPU", "× bare queue's"],
    ...costs.map((cost, at) => [
      contenders[at]?.name ?? "",
      ...costColumns(cost),
      times(cost.total, 0),
      times(cost.total, 1),
    ]),
  ]);

  const latencies: number[] = [];
  const running: Promise<unknown>[] = [];
  for (let at = 0; at < Number(SECONDS) * 50; at++) {
    const startedAt = performance.now();
    running.push(send(at).then(() => latencies.push(performance.now() - startedAt)));
    await delay(20);
  }
  await Promise.all(running);
  const p95 = quantile(latencies, 0.95);
  console.log(
    `at 50 a second: p50 ${round(median(latencies), 0)} ms, p95 ${round(p95, 0)} ms, ${round(p95 / vendorLatencyMs)} × the vendor's latency`,
  );
  for (let part = 1; part <= Number(MEMORY); part++) {
    await runConcurrently(5_000, options.width, send);
    console.log(`worker: ${memoryOf(service.worker.pid)} MB after ${part * 5_000} more sends`);
  }
  await bare.close();
  await close();
} finally {
  await service.stop();
  await vendor.stop();
}
