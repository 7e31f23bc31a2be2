import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { inFlight, median, round } from "./figures.ts";
import type { LoginFlood } from "./login_flood.ts";
import { startMeasured } from "./service.ts";

/**
 * npm run bench:logins: what 50 hostile addresses at full speed do to a stranger's login. Each stranger has an address and
 * an account of its own, and logs in once before the flood and once in it. Targets: 3 × idle, none refused.
 */
const addresses = Number(process.env.ADDRESSES ?? 50);
const perAddress = Number(process.env.IN_FLIGHT ?? 4);
const strangers = Number(process.env.STRANGERS ?? 40);
const password = "correct horse battery";
const service = await startMeasured({ TRUST_PROXY: "loopback" });
const { client, gateway } = service;

async function signUp(index: number): Promise<{ phone: string; password: string }> {
  const phone = `+1212555${String(index).padStart(4, "0")}`;
  await client.post("/auth/register", { phone, password });
  const [, otp] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  const { status } = await client.post("/auth/register/verify", { phone, otp });
  if (status !== 200) throw new Error(`signing up ${phone} failed with ${status}`);
  return { phone, password };
}

/** Milliseconds of each stranger's login, and how many were refused. */
async function measure(
  network: string,
  accounts: object[],
  pauseMs: number,
): Promise<{ taken: number[]; refused: number }> {
  const taken: number[] = [];
  let refused = 0;
  for (const [index, account] of accounts.entries()) {
    await delay(pauseMs);
    const started = performance.now();
    const { status } = await client.post("/auth/login", account, {
      "x-forwarded-for": `${network}.${index}`,
    });
    taken.push(performance.now() - started);
    if (status !== 200) refused++;
  }
  return { taken, refused };
}

const p95 = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? NaN;
const figures = (values: number[]) =>
  `median ${round(median(values), 0)} ms, p95 ${round(p95(values), 0)} ms`;

try {
  const accounts = new Array<{ phone: string; password: string }>(strangers + addresses);
  await inFlight(accounts.length, 4, async (index) => {
    accounts[index] = await signUp(index);
  });
  const own = accounts.splice(strangers);

  const idle = await measure("198.51.100", accounts, 50);
  console.log(`idle: ${figures(idle.taken)}`);

  const workerData: LoginFlood = { url: service.url, addresses, inFlight: perAddress, accounts: own };
  const flood = new Worker(new URL("login_flood.ts", import.meta.url), { workerData });
  await delay(1_000);
  const started = performance.now();
  const attacked = await measure("192.0.2", accounts, 200);
  const seconds = (performance.now() - started) / 1_000 + 1;
  flood.postMessage("statuses");
  const [statuses] = (await once(flood, "message")) as [Record<string, number>];
  await flood.terminate();

  const rates = Object.entries(statuses).map(
    ([status, count]) => `${status}: ${round(count / seconds, 0)}/s`,
  );
  console.log(
    `${addresses} hostile addresses × ${perAddress} requests at once, answered ${rates.join(", ")}`,
  );
  console.log(
    `beside them: ${figures(attacked.taken)}, ${round(median(attacked.taken) / median(idle.taken))} × and ` +
      `${round(p95(attacked.taken) / p95(idle.taken))} × idle, ${attacked.refused} of ${strangers} refused`,
  );
} finally {
  await service.stop();
}
