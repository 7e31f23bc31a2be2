import pg from "pg";
import { bearer, type Tokens } from "../testing/rest_client.ts";
import { memoryOf } from "./cpu.ts";
import { median, round, measureDurations } from "./figures.ts";
import { createLeanClient } from "./lean_client.ts";
import { startMeasuredService } from "./measured_service.ts";
import { formatCost, compareCosts, warmUpRequests, type Cost } from "./side_by_side.ts";

/**
 * npm run bench: the cost of the main routes, compared with a baseline without their rules (bare_server.ts) or with bcrypt alone.
 * Compare medians and ratios: the machine is noisy, and the load generator uses the same cores.
 */
const service = await startMeasuredService();
const { client, gateway, serverPid, postgresPid } = service;
const options = { postgresPid, width: 32, rounds: 7, perRound: 1_000 };
const lean = createLeanClient(service.url, options.width);
const bare = createLeanClient(service.bare.url, options.width);

/** Creates a function that refreshes `count` sessions in turn, each with its latest token. */
async function createRefresher(
  open: () => Promise<Tokens>,
  refresh: (token: string) => Promise<unknown>,
  count = options.width,
) {
  const sessions = await Promise.all(Array.from({ length: count }, open));
  return async () => {
    const { refresh_token } = sessions.shift() ?? (await open());
    sessions.push(dataOf(await refresh(refresh_token)));
  };
}
const dataOf = (answer: unknown) => (answer as { data: Tokens }).data;

async function measure(name: string, ours: () => Promise<unknown>, baseline: () => Promise<unknown>) {
  const [our, bareCost] = (await compareCosts(
    [
      { name: "ours", serverPid, work: ours },
      { name: "bare", serverPid: service.bare.pid, work: baseline },
    ],
    options,
  )) as [Cost, Cost];
  console.log(
    `${name.padEnd(16)} ${formatCost(our)}: ${round(our.total / bareCost.total)} × the baseline's ${formatCost(bareCost)}`,
  );
}

try {
  const guest = async () => dataOf(await lean.post("/api/v1/auth/session/guest"));
  const bareGuest = async () => dataOf(await bare.post("/guest"));
  await measure("guest session", guest, bareGuest);
  const refresh = (refresh_token: string) =>
    lean.post("/api/v1/auth/session/refresh", { refresh_token }, bearer(refresh_token));
  const bareRefresh = (refresh_token: string) => bare.post("/refresh", { refresh_token });
  const baseline = await createRefresher(bareGuest, bareRefresh);
  await measure("refresh", await createRefresher(guest, refresh), baseline);
  // More sessions than the server's token cache holds, so each signature is verified, as in the baseline.
  await measure("refresh, unknown", await createRefresher(guest, refresh, 6_000), baseline);
  const requests = 3 * (warmUpRequests + options.rounds * options.perRound) + 6_000;
  console.log(`server memory    ${memoryOf(serverPid)} MB after ${requests} requests`);

  const phone = "+12125550100";
  const password = "correct horse battery";
  await client.post("/auth/register", { phone, password });
  const [, otp] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  await client.post("/auth/register/verify", { phone, otp });
  const database = new pg.Client({ connectionString: service.postgres.superuserUrl });
  await database.connect();
  await database.query("create extension if not exists pgcrypto");
  const pairs = { login: [] as number[], bcrypt: [] as number[] };
  for (let pair = 0; pair < 60; pair++) {
    pairs.login.push(...(await measureDurations(1, () => client.post("/auth/login", { phone, password }))));
    pairs.bcrypt.push(
      ...(await measureDurations(1, () => database.query("select crypt('x', gen_salt('bf', 10))"))),
    );
  }
  await database.end();
  const [login, bcrypt] = [median(pairs.login), median(pairs.bcrypt)];
  console.log(
    `login            ${round(login / bcrypt)} × bare bcrypt (${round(login)} / ${round(bcrypt)} ms, p50)`,
  );

  const sends = await measureDurations(100, (index) => client.sendOtp(`+1212555${String(1000 + index)}`));
  console.log(
    `OTP send         ${round(median(sends))} ms until delivered at the gateway and answered, p50 of ${sends.length}`,
  );
} finally {
  await lean.close();
  await bare.close();
  await service.stop();
}
