import { once } from "node:events";
import { Worker } from "node:worker_threads";
import pg from "pg";
import { migratorConfig } from "../config/config.ts";
import { median, round, measureDurations } from "./figures.ts";
import { startMeasuredService } from "./measured_service.ts";

/**
 * npm run bench:denied: how much sixteen connections whose calls a rate limit refuses delay other calls, compared with sixteen
 * that run "select 1". The difference is the cost of a refusal. Measured at the database, which decides about limits, with
 * prepared statements like the server's.
 */
const service = await startMeasuredService();
const { SERVER_DATABASE_URL: url } = migratorConfig(service.env);
const send = "select row_to_json(api.send_otp('+12125550100', 'PHONE', 'LOGIN', 'flood', $1, 'US'))";
const key = Buffer.alloc(32, 1);

const probe = new pg.Client({ connectionString: url });
await probe.connect();
const guest = (at: number) =>
  probe.query({
    name: "guest",
    text: "select row_to_json(api.create_guest_session($1, null))",
    values: [`client ${at}`],
  });
const latency = async () => median(await measureDurations(1_500, guest));

/** Median latency while a flood of the statement runs. */
async function latencyDuring(text: string, values: unknown[]): Promise<number> {
  const flood = new Worker(new URL("flood.ts", import.meta.url), {
    workerData: { url, connections: 16, text, values },
  });
  await once(flood, "message");
  const measured = await latency();
  await flood.terminate();
  return measured;
}

try {
  for (let spent = 0; spent < 3; spent++) await probe.query(send, [key]);
  await latency();
  const rounds: number[][] = [];
  for (let round = 0; round < 5; round++) {
    rounds.push([await latency(), await latencyDuring("select 1", []), await latencyDuring(send, [key])]);
  }
  const [calm = NaN, idle = NaN, denied = NaN] = [0, 1, 2].map((column) =>
    median(rounds.map((row) => row[column] ?? NaN)),
  );
  console.log(`a guest session at the database, p50: alone ${round(calm)} ms`);
  console.log(`beside 16 connections of "select 1"      ${round(idle)} ms, ${round(idle / calm)} × alone`);
  console.log(
    `beside 16 connections of refused sends   ${round(denied)} ms, ${round(denied / calm)} × alone, ${round(denied / idle)} × beside select 1`,
  );
} finally {
  await probe.end();
  await service.stop();
}
