import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../embedded/index.ts";
import { createRestClient } from "../testing/service/rest_client.ts";
import { startRestartablePostgres } from "../testing/postgres/restartable_postgres.ts";
import { startSmsGateway } from "../testing/network/sms_gateway.ts";
import { round } from "./parts/figures.ts";
import { providerAt, wideLimits } from "./parts/measured_service.ts";
import { startServerProcess, startWorkerProcess } from "./parts/started_process.ts";
import { installedProxies, startProxy, type ProxyName } from "./restart/proxies.ts";
import { startRestartLoad } from "./restart/restart_load.ts";

/**
 * What restarts lose. Restarts PostgreSQL RESTARTS times, alternately fast and immediate, during sends, logins and
 * refreshes; then restarts two servers in turn ROLLINGS times behind nginx and HAProxy, if they are installed. Targets:
 * no process ends, sends work again within 10 s, nothing is lost, no SMS is sent twice.
 */
const { RESTARTS = 20, ROLLINGS = 20 } = process.env;
const password = "correct horse battery";

const gateway = await startSmsGateway();
const postgres = await startRestartablePostgres({
  ...wideLimits,
  OTP_PROVIDER: JSON.stringify(providerAt(gateway.url)),
  DRAIN_DELAY_MS: "3000",
});
const worker = await startWorkerProcess(postgres.env);

/** Polls until the condition holds and returns the seconds. @throws Error after 30 s */
async function until(description: string, condition: () => Promise<boolean> | boolean): Promise<number> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1_000;
  while (!(await condition())) {
    if (seconds() > 30) throw new Error(`timed out after 30 s: ${description}`);
    await delay(50);
  }
  return seconds();
}

async function restartPostgres(port: number): Promise<void> {
  const server = await startServerProcess(postgres.env, port);
  const client = createRestClient(`http://127.0.0.1:${port}`);
  const account = { phone: "+12125550100", password };
  await client.post("/auth/register", account);
  const [, otp] = await Promise.all([client.sendOtp(account.phone), gateway.nextCode(account.phone)]);
  await client.post("/auth/register/verify", { phone: account.phone, otp });

  const load = startRestartLoad(client, account, ["send", "login", "refresh"], 4);
  let longest = 0;
  for (let index = 0; index < Number(RESTARTS); index++) {
    await delay(500);
    await postgres.halt(index % 2 === 0 ? "fast" : "immediate");
    await postgres.resume();
    await postgres.query("delete from platform.rate_limit");
    const before = load.counts.send?.done ?? 0;
    longest = Math.max(longest, await until("a send succeeds", () => (load.counts.send?.done ?? 0) > before));
  }
  await load.stop();
  const jobs = () => postgres.query("select from graphile_worker._private_jobs");
  await until("no job is left", async () => (await jobs()).length === 0).catch(() => undefined);
  const got = new Set(gateway.received.map(({ to }) => to));
  const lost = [...load.acknowledged].filter((phone) => !got.has(phone)).length;
  const doubles = gateway.received.length - new Set(gateway.received.map(({ id }) => id)).size;

  console.log(`${RESTARTS} restarts of PostgreSQL, fast and immediate in turn`);
  load.print();
  console.log(`  processes that have ended: ${Number(server.hasEnded()) + Number(worker.hasEnded())} (target 0)`);
  console.log(`  sends work again after at most ${round(longest, 1)} s (target 10)`);
  console.log(`  jobs left: ${(await jobs()).length}, sends answered with success and not sent: ${lost} (target 0)`);
  console.log(`  SMS sent twice: ${doubles}, sessions lost: ${load.lostSessions()} (target 0)`);
  await server.stop();
}

async function roll(proxy: ProxyName): Promise<void> {
  const ports = [await freePort(), await freePort()];
  const port = await freePort();
  const servers = await Promise.all(ports.map((own) => startServerProcess(postgres.env, own)));
  const running = await startProxy(proxy, port, ports);
  const load = startRestartLoad(createRestClient(`http://127.0.0.1:${port}`), {}, ["health", "refresh"], 8);
  for (let index = 0; index < Number(ROLLINGS); index++)
    for (const [which, own] of ports.entries()) {
      await servers[which]?.stop();
      servers[which] = await startServerProcess(postgres.env, own);
      // Like an orchestrator, waits until the proxy sees this server again before it stops the next one.
      await delay(1_500);
    }
  await load.stop();
  console.log(`${ROLLINGS} rolling restarts of two servers behind ${proxy} (target: none lost, none refused)`);
  load.print();
  console.log(`  sessions lost: ${load.lostSessions()} (target 0)`);
  await running.stop();
  for (const server of servers) await server.stop();
}

try {
  await restartPostgres(await freePort());
  if (installedProxies.length === 0) console.log("neither nginx nor haproxy is installed: no rolling restarts");
  for (const proxy of installedProxies) await roll(proxy);
} finally {
  await worker.stop();
  await gateway.stop();
  await postgres.stop();
}
