import pg from "pg";
import { bearer, type Tokens } from "../testing/client.ts";
import { cpuOfTrees, memoryOf } from "./cpu.ts";
import { inFlight, median, round, times } from "./figures.ts";
import { leanClient } from "./lean_client.ts";
import { startMeasured } from "./service.ts";

/**
 * npm run bench: what the main routes cost, beside the limit that each can at best reach. The machine is noisy and the
 * load generator shares it: read medians and ratios.
 */
const service = await startMeasured();
const { client, gateway, serverPid, postgresPid } = service;
const width = 32;
const rounds = 5;
const perRound = 1_000;
const lean = leanClient(service.url, width);

/** Median over rounds of the CPU that server and PostgreSQL use, in milliseconds per request. */
async function cpuPerRequest(work: (index: number) => Promise<unknown>): Promise<string> {
  const rows: { server: number; postgres: number }[] = [];
  const used = () => ({ server: cpuOfTrees([serverPid]), postgres: cpuOfTrees([postgresPid]) });
  for (let at = 0; at < rounds; at++) {
    const before = used();
    await inFlight(perRound, width, (index) => work(at * perRound + index));
    const after = used();
    rows.push({
      server: (after.server - before.server) / perRound,
      postgres: (after.postgres - before.postgres) / perRound,
    });
  }
  const [server, postgres] = [median(rows.map((row) => row.server)), median(rows.map((row) => row.postgres))];
  return `${round(server + postgres)} ms CPU per request (server ${round(server)}, PostgreSQL ${round(postgres)})`;
}

try {
  const guest = async () => ((await lean.post("/api/v1/auth/session/guest")) as { data: Tokens }).data;
  await inFlight(perRound, width, guest);
  console.log(`guest session    ${await cpuPerRequest(guest)}`);

  // Each session is refreshed by whoever holds its latest token.
  const sessions = await Promise.all(Array.from({ length: width }, guest));
  const refresh = async () => {
    const { refresh_token } = sessions.shift() ?? (await guest());
    const answer = await lean.post("/api/v1/auth/session/refresh", { refresh_token }, bearer(refresh_token));
    sessions.push((answer as { data: Tokens }).data);
  };
  await inFlight(perRound, width, refresh);
  console.log(`refresh          ${await cpuPerRequest(refresh)}`);
  console.log(`server memory    ${memoryOf(serverPid)} MB after ${2 * (rounds + 1) * perRound} requests`);

  const phone = "+12125550100";
  const password = "correct horse battery";
  await client.post("/auth/register", { phone, password });
  const [, otp] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  await client.post("/auth/register/verify", { phone, otp });
  const bare = new pg.Client({ connectionString: service.postgres.superuserUrl });
  await bare.connect();
  await bare.query("create extension if not exists pgcrypto");
  const pairs = { login: [] as number[], bcrypt: [] as number[] };
  for (let pair = 0; pair < 60; pair++) {
    pairs.login.push(...(await times(1, () => client.post("/auth/login", { phone, password }))));
    pairs.bcrypt.push(...(await times(1, () => bare.query("select crypt('x', gen_salt('bf', 10))"))));
  }
  await bare.end();
  const [login, bcrypt] = [median(pairs.login), median(pairs.bcrypt)];
  console.log(
    `login            ${round(login / bcrypt)} × bare bcrypt (${round(login)} / ${round(bcrypt)} ms, p50)`,
  );

  const sends = await times(100, (index) => client.sendOtp(`+1212555${String(1000 + index)}`));
  console.log(
    `OTP send         ${round(median(sends))} ms until delivered at the gateway and answered, p50 of ${sends.length}`,
  );
} finally {
  await lean.close();
  await service.stop();
}
