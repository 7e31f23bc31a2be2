import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../embedded/index.ts";
import { createRestClient } from "../testing/rest_client.ts";
import { startRestartablePostgres } from "../testing/restartable_postgres.ts";
import { startSmsGateway } from "../testing/sms_gateway.ts";
import { round } from "./parts/figures.ts";
import { startLoad, type Load } from "./restart/restart_load.ts";
import { startServerProcess, startWorkerProcess } from "./parts/started_process.ts";
import { installedProxies, type Proxy } from "./restart/proxies.ts";

/**
 * What restarts lose. Restarts PostgreSQL RESTARTS times, alternately fast and immediate, during sends,
 * logins and refreshes; then restarts two servers in turn ROLLINGS times behind nginx and HAProxy, if they are installed.
 * Targets: no process ends, sends work again within 10 s, nothing is lost, no SMS is sent twice.
 */
const restarts = Number(process.env.RESTARTS ?? 20);
const rollings = Number(process.env.ROLLINGS ?? 20);
const timeoutMs = 30_000;
const password = "correct horse battery";

const gateway = await startSmsGateway();
const OTP_PROVIDER = JSON.stringify({
  providerToUse: "http",
  template: "{{code}} {{minutes}}",
  http: { url: gateway.url },
});
const wide = Object.fromEntries(
  ["OTP_SEND_PER_IP", "OTP_VERIFY_PER_IP", "REGISTER_PER_IP"].map((name) => [name, "1000/1"]),
);
const postgres = await startRestartablePostgres({ OTP_PROVIDER, ...wide, DRAIN_DELAY_MS: "1000" });
const worker = await startWorkerProcess(postgres.env);
const folder = mkdtempSync(join(tmpdir(), "latchkey-proxies-"));

const print = (load: Load) => {
  for (const [kind, { done, refused, unsent, lost }] of Object.entries(load.counts))
    console.log(
      `  ${kind}: ${done} done, ${refused} refused with Retry-After, ${unsent} reported as unsent, ${lost} lost`,
    );
  if (load.faults.size > 0) console.log(`  faults: ${[...load.faults].join("; ")}`);
};

/** Polls until the condition holds and returns the milliseconds. @throws Error after 30 s */
async function until(description: string, condition: () => Promise<boolean>): Promise<number> {
  const started = performance.now();
  while (!(await condition())) {
    if (performance.now() - started > timeoutMs) throw new Error(`timed out after 30 s: ${description}`);
    await delay(50);
  }
  return performance.now() - started;
}

async function restartPostgres(port: number): Promise<void> {
  const server = await startServerProcess(postgres.env, port);
  const client = createRestClient(`http://127.0.0.1:${port}`);
  const account = { phone: "+12125550100", password };
  await client.post("/auth/register", account);
  const [, otp] = await Promise.all([client.sendOtp(account.phone), gateway.nextCode(account.phone)]);
  await client.post("/auth/register/verify", { phone: account.phone, otp });

  const load = startLoad(client, account, ["send", "login", "refresh"], 4);
  let longest = 0;
  for (let index = 0; index < restarts; index++) {
    await delay(500);
    await postgres.halt(index % 2 === 0 ? "fast" : "immediate");
    await postgres.resume();
    await postgres.query("delete from platform.rate_limit");
    const before = load.counts.send?.done ?? 0;
    const sends = () => Promise.resolve((load.counts.send?.done ?? 0) > before);
    longest = Math.max(longest, await until("a send succeeds", sends));
  }
  await load.stop();
  const jobs = () => postgres.query("select from graphile_worker._private_jobs");
  const drained = await until("no job is left", async () => (await jobs()).length === 0).catch(
    () => undefined,
  );
  const ids = gateway.received.map(({ id }) => id);
  const got = new Set(gateway.received.map(({ to }) => to));
  const lost = [...load.acknowledged].filter((phone) => !got.has(phone)).length;

  console.log(`${restarts} restarts of PostgreSQL, fast and immediate in turn`);
  print(load);
  const alive = !server.hasEnded() && !worker.hasEnded();
  console.log(`  server and worker are running: ${alive ? "yes" : "NO"} (target yes)`);
  console.log(`  sends work again after at most ${round(longest / 1000, 1)} s (target 10)`);
  console.log(`  jobs left: ${drained === undefined ? (await jobs()).length : 0} (target 0)`);
  console.log(`  sends that were answered with success and not sent: ${lost} (target 0)`);
  console.log(`  SMS sent twice: ${ids.length - new Set(ids).size} of ${ids.length} (target 0)`);
  console.log(`  sessions lost: ${load.lostSessions()} (target 0)`);
  await server.stop();
}

async function roll(proxy: Proxy): Promise<void> {
  const ports = [await freePort(), await freePort()];
  const port = await freePort();
  const servers = await Promise.all(ports.map((own) => startServerProcess(postgres.env, own)));
  const ready = await fetch(`http://127.0.0.1:${ports[0]}/ready`);
  const probe = ready.status === 404 ? "/api/v1/health" : "/ready";
  const running = await proxy.start(folder, port, ports, probe);
  const load = startLoad(createRestClient(`http://127.0.0.1:${port}`), {}, ["health", "refresh"], 8);
  for (let index = 0; index < rollings; index++) {
    for (const [which, own] of ports.entries()) {
      await servers[which]?.stop();
      servers[which] = await startServerProcess(postgres.env, own);
      // Like an orchestrator, waits until the proxy sees this server again before it stops the next one.
      await delay(500);
    }
  }
  await load.stop();
  console.log(`${rollings} rolling restarts of two servers behind ${proxy.name}, which probes ${probe}`);
  print(load);
  const { lost, refused } = Object.values(load.counts).reduce((a, b) => ({
    ...a,
    lost: a.lost + b.lost,
    refused: a.refused + b.refused,
  }));
  console.log(
    `  lost or refused: ${lost + refused} (target 0), sessions lost: ${load.lostSessions()} (target 0)`,
  );
  await running.stop();
  for (const server of servers) await server.stop();
}

try {
  await restartPostgres(await freePort());
  const proxies = installedProxies();
  if (proxies.length === 0) console.log("neither nginx nor haproxy is installed: no rolling restarts");
  for (const proxy of proxies) await roll(proxy);
} finally {
  await worker.stop();
  await gateway.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
