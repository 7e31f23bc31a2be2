import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../embedded/index.ts";
import { createRandom, shuffle } from "../scripts/mutate/sample.ts";
import { createRestClient } from "../testing/service/rest_client.ts";
import { startRestartablePostgres } from "../testing/postgres/restartable_postgres.ts";
import { startSmsGateway } from "../testing/network/sms_gateway.ts";
import { checkCodes, startCrashLoad } from "./crash/crash_load.ts";
import { killBackend, restartPostgres, supervise } from "./crash/crash_processes.ts";
import { tally, type Kill, type StoredOtp, type Victim } from "./crash/crash_tally.ts";
import { quantile, round } from "./parts/figures.ts";
import { providerAt } from "./parts/measured_service.ts";
import { startServerProcess, startWorkerProcess } from "./parts/started_process.ts";

const longestPauseMs = 5_000;
const longestVendorMs = 400;
const settleMs = 120_000;

/**
 * What kill -9, or a restart, loses. Ends one of `among` KILLS times at random moments during RATE requests a second,
 * and starts it again each time. Then compares the answers to clients with what the vendor received. SEED determines
 * who is ended and the pauses; VICTIMS names some of them, separated by commas. Exits with code 1 if anything was lost.
 */
export async function measureCrashes(among: readonly Victim[]): Promise<void> {
  const { KILLS = 40, RATE = 20, SEED = Date.now() % 1_000_000, VICTIMS } = process.env;
  const [kills, rate, seed] = [Number(KILLS), Number(RATE), Number(SEED)];
  const chosen = (VICTIMS?.split(",") ?? among) as Victim[];
  const random = createRandom(seed);
  console.log(`SEED=${seed} KILLS=${kills} RATE=${rate}`);
  const vendor = await startSmsGateway(0, () => random() * longestVendorMs);
  const postgres = await startRestartablePostgres({
    OTP_PROVIDER: JSON.stringify(providerAt(vendor.url)),
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
  const enders: Record<Victim, () => Promise<void>> = {
    worker: worker.kill,
    server: server.kill,
    postmaster: () => restartPostgres(postgres, "kill"),
    backend: () => killBackend(postgres, random),
    fast: () => restartPostgres(postgres, "fast"),
    immediate: () => restartPostgres(postgres, "immediate"),
    "stopped server": server.restart,
  };

  /** Waits until every job is done. Returns those that are not. */
  async function settle(): Promise<object[]> {
    const deadline = Date.now() + settleMs;
    for (;;) {
      const left = await postgres.query(
        `select count(*)::integer as count, attempts, locked_by, last_error from graphile_worker._private_jobs
         where payload ->> 'otp_id' is not null group by attempts, locked_by, last_error`,
      );
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
    const load = startCrashLoad(client, rate);
    const killed: Kill[] = [];
    await delay(2_000);
    for (let turn = 0; killed.length < kills; turn++)
      for (const victim of shuffle(chosen, seed + turn).slice(0, kills - killed.length)) {
        const at = Date.now();
        await enders[victim]();
        killed.push({ victim, at, upAgainAt: Date.now() });
        await delay(random() ** 2 * longestPauseMs);
      }
    await delay(2_000);
    await load.stop();
    const { requests } = load;
    if (requests.length > accounts) throw new Error("there were too few accounts");
    const stuck = await settle();

    const received = vendor.received
      .map(({ to: phone, body, headers, times: { receivedAt, answeredAt } }) => {
        const attemptId = String(headers["webhook-id"]).replace(/^msg_/, "");
        return { attemptId, phone, code: body.split(" ", 1)[0] ?? "", receivedAt, answeredAt };
      })
      .toSorted((one, other) => one.receivedAt - other.receivedAt);
    const checks = await checkCodes(client, received);
    const result = tally(requests, received, await storedOtps(), checks, killed);
    const startOf = new Map(requests.map(({ phone, startedAt }) => [phone, startedAt]));
    const seconds = received.map(({ phone, receivedAt }) => (receivedAt - (startOf.get(phone) ?? NaN)) / 1_000);
    const count = (matches: (status: number) => boolean) => requests.filter(({ status }) => matches(status)).length;
    const sends = requests.filter(({ status, kind }) => status === 200 && kind === "send");
    const recoveries = killed.map(
      ({ upAgainAt }) => Math.min(...sends.map(({ endedAt }) => endedAt).filter((at) => at >= upAgainAt)) - upAgainAt,
    );
    console.log(
      `${requests.length} requests during ${killed.length} ends: ${count((status) => status === 200)} succeeded, ` +
        `${count((status) => status >= 500)} were refused, ${count((status) => status === 0)} had no answer; ` +
        `a message reaches the vendor after ${round(quantile(seconds, 0.5), 1)} s (p50), ${round(quantile(seconds, 0.99), 1)} s (p99); ` +
        `sends succeed again within ${round(Math.max(...recoveries) / 1_000, 1)} s (target 10)`,
    );
    console.log(
      `two messages because the worker died before it could record the vendor's answer: ${result.allowedDoubles}`,
    );
    const faults = {
      lost: result.lost,
      "two messages for another reason": result.wrongDoubles,
      "sent after it was answered as not sent": result.afterCancel,
      "jobs that no worker runs any more": stuck.map((jobs) => JSON.stringify(jobs)),
      "sessions lost": Array<string>(load.lostSessions()).fill("one"),
      "unexpected answers": [...load.faults],
      "processes that ended by themselves": Array<string>(server.endedByItself() + worker.endedByItself()).fill("one"),
    };
    for (const [what, list] of Object.entries(faults)) {
      console.log(`${what}: ${list.length} (target 0)`);
      for (const fault of list.slice(0, 20)) console.log(`  ${fault}`);
      if (list.length > 0) process.exitCode = 1;
    }
  } finally {
    await server.stop();
    await worker.stop();
    await vendor.stop();
    await postgres.stop();
  }
}
