import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { runConcurrently, median, round } from "./figures.ts";
import type { LoginFlood } from "./login_flood.ts";
import { startMeasuredService } from "./measured_service.ts";

/**
 * npm run bench:logins: how much 50 attacking addresses at full speed delay other clients' logins. Each client has an address
 * and an account of its own, and logs in once before the flood and once during it. Targets: within 3 × idle, none refused.
 */
const addresses = Number(process.env.ADDRESSES ?? 50);
const perAddress = Number(process.env.IN_FLIGHT ?? 4);
const clients = Number(process.env.STRANGERS ?? 40);
const password = "correct horse battery";
const service = await startMeasuredService({ TRUST_PROXY: "loopback" });
const { client, gateway } = service;

async function signUp(index: number): Promise<{ phone: string; password: string }> {
  const phone = `+1212555${String(index).padStart(4, "0")}`;
  await client.post("/auth/register", { phone, password });
  const [, otp] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  const { status } = await client.post("/auth/register/verify", { phone, otp });
  if (status !== 200) throw new Error(`signing up ${phone} failed with ${status}`);
  return { phone, password };
}

/** Logs each account in and returns the durations in milliseconds and the number of refusals. */
async function measure(
  network: string,
  accounts: object[],
  pauseMs: number,
): Promise<{ durations: number[]; refused: number }> {
  const durations: number[] = [];
  let refused = 0;
  for (const [index, account] of accounts.entries()) {
    await delay(pauseMs);
    const started = performance.now();
    const { status } = await client.post("/auth/login", account, {
      "x-forwarded-for": `${network}.${index}`,
    });
    durations.push(performance.now() - started);
    if (status !== 200) refused++;
  }
  return { durations, refused };
}

const p95 = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? NaN;
const figures = (values: number[]) =>
  `median ${round(median(values), 0)} ms, p95 ${round(p95(values), 0)} ms`;

try {
  const accounts = new Array<{ phone: string; password: string }>(clients + addresses);
  await runConcurrently(accounts.length, 4, async (index) => {
    accounts[index] = await signUp(index);
  });
  const own = accounts.splice(clients);

  const idle = await measure("198.51.100", accounts, 50);
  console.log(`idle: ${figures(idle.durations)}`);

  const workerData: LoginFlood = { url: service.url, addresses, inFlight: perAddress, accounts: own };
  const flood = new Worker(new URL("login_flood.ts", import.meta.url), { workerData });
  await delay(1_000);
  const started = performance.now();
  const underAttack = await measure("192.0.2", accounts, 200);
  const seconds = (performance.now() - started) / 1_000 + 1;
  flood.postMessage("statuses");
  const [statuses] = (await once(flood, "message")) as [Record<string, number>];
  await flood.terminate();

  const rates = Object.entries(statuses).map(
    ([status, count]) => `${status}: ${round(count / seconds, 0)}/s`,
  );
  console.log(
    `${addresses} attacking addresses × ${perAddress} requests at once, answered ${rates.join(", ")}`,
  );
  console.log(
    `other clients: ${figures(underAttack.durations)}, ${round(median(underAttack.durations) / median(idle.durations))} × and ` +
      `${round(p95(underAttack.durations) / p95(idle.durations))} × idle, ${underAttack.refused} of ${clients} refused`,
  );
} finally {
  await service.stop();
}
