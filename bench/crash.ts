import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../embedded/index.ts";
import { createRandom, shuffle } from "../scripts/mutate/sample.ts";
import { createRestClient } from "../testing/rest_client.ts";
import { startRestartablePostgres } from "../testing/restartable_postgres.ts";
import { checkCodes } from "./crash/crash_codes.ts";
import { phoneOf, startLoad } from "./crash/crash_load.ts";
import { supervise } from "./crash/crash_processes.ts";
import { printTally, type StuckJobs } from "./crash/crash_report.ts";
import { tally, type StoredOtp } from "./crash/crash_tally.ts";
import { startVendor } from "./crash/crash_vendor.ts";
import { createKiller, victims, type Kill, type Victim } from "./crash/crash_victims.ts";
import { startServerProcess, startWorkerProcess } from "./parts/started_process.ts";

/**
 * What kill -9 loses. Kills worker, server, PostgreSQL's postmaster or one of its backends KILLS times at
 * random moments during RATE requests a second, and starts it again each time. Then compares the answers to clients with
 * what the vendor received. SEED determines who is killed and the pauses; VICTIMS names some of
 * them, separated by commas. Exits with code 1 if anything was lost.
 */
const kills = Number(process.env.KILLS ?? 40);
const rate = Number(process.env.RATE ?? 20);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const chosen = (process.env.VICTIMS?.split(",") ?? victims) as Victim[];
const longestPauseMs = 5_000;
const longestVendorMs = 400;
const settleMs = 120_000;

const random = createRandom(seed);
console.log(`SEED=${seed} KILLS=${kills} RATE=${rate}`);
const vendor = await startVendor(() => random() * longestVendorMs);
const postgres = await startRestartablePostgres({
  OTP_PROVIDER: JSON.stringify({
    ...{ providerToUse: "http", template: "{{code}} {{minutes}}" },
    http: { url: vendor.url },
  }),
  // The codes are verified at the end.
  OTP_TTL_SECONDS: "86400",
  PASSWORD_HASH_COST: "4",
  SMS_HTTP_SIGNING_SECRET: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
  TRUST_PROXY: "loopback",
});
const port = await freePort();
const server = await supervise(() => startServerProcess(postgres.env, port));
const worker = await supervise(() => startWorkerProcess(postgres.env));
const client = createRestClient(`http://127.0.0.1:${port}`);

/** Counts the jobs that are not done, by state. */
const jobs = () =>
  postgres.query<StuckJobs>(
    `select count(*)::integer as count, attempts, locked_by, last_error from graphile_worker._private_jobs
     where payload ->> 'otp_id' is not null group by attempts, locked_by, last_error`,
  );

/** Waits until every job is done. Returns those that are not. */
async function settle(): Promise<StuckJobs[]> {
  const deadline = Date.now() + settleMs;
  for (;;) {
    const left = await jobs();
    if (left.length === 0 || Date.now() > deadline) return left;
    await delay(200);
  }
}

const storedOtps = () =>
  postgres.query<StoredOtp>(
    `select o.identifier as phone, o.delivery, coalesce(a.attempts, '[]') as attempts
     from platform.otp_transaction o
     left join lateral (
       select json_agg(json_build_object(
         'id', a.id, 'outcome', a.outcome, 'started_at', 1000 * extract(epoch from a.started_at)
       )) as attempts
       from platform.delivery_attempt a where a.otp_id = o.id
     ) a on true`,
  );

try {
  const accounts = rate * (120 + 10 * kills);
  await postgres.query(
    `insert into "user".account (id, phone, password_hash, phone_verified_at)
     select gen_random_uuid(), '+1212' || 2000000 + n, '$2a$04$' || repeat('a', 53), now() from generate_series(0, $1) n`,
    [accounts],
  );
  const kill = createKiller(postgres, { worker, server }, random);
  const load = startLoad(client, rate);
  const killed: Kill[] = [];
  await delay(2_000);
  for (let round = 0; killed.length < kills; round++)
    for (const victim of shuffle(chosen, seed + round).slice(0, kills - killed.length)) {
      killed.push(await kill(victim));
      await delay(random() ** 2 * longestPauseMs);
    }
  await load.stop();
  if (load.requests.some(({ phone }) => phone > phoneOf(accounts)))
    throw new Error("there were too few accounts");
  const stuck = await settle();

  const received = vendor.received.toSorted((one, other) => one.receivedAt - other.receivedAt);
  const codes = new Map(
    [...Map.groupBy(received, ({ phone }) => phone)].map(([phone, sms]) => [
      phone,
      sms.map(({ code }) => code),
    ]),
  );
  const checks = await checkCodes(client, codes);
  const result = tally({
    ...{ kills: killed, requests: load.requests, received, checks },
    stored: await storedOtps(),
  });
  const endedByThemselves = server.endedByItself() + worker.endedByItself();
  const isFine = printTally(result, load, received, { stuck, endedByThemselves });
  process.exitCode = isFine ? 0 : 1;
} finally {
  await server.stop();
  await worker.stop();
  vendor.stop();
  await postgres.stop();
}
