import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { tokensOf } from "../testing/service/rest_client.ts";
import { databaseOf } from "../testing/postgres/urls.ts";
import { cases } from "./attack/attack_cases.ts";
import { sessionsPerUser, type Attack } from "./attack/means.ts";
import type { Seen } from "./attack/others.ts";
import { describeCase } from "./attack/attack_report.ts";
import { childrenOf, memoryOf } from "./parts/cpu.ts";
import { runConcurrently } from "./parts/figures.ts";
import { startMeasuredService } from "./parts/measured_service.ts";

/**
 * Runs each abuse case (CASE=5 chooses) beside ordinary clients that send 50 requests per second. In each of ROUNDS
 * rounds the attacker first pauses for SECONDS and then attacks for SECONDS, because the speed of the machine changes
 * from minute to minute: a round's figure under attack is divided by the same round's idle figure, and the median of
 * these ratios counts. Targets: GraphQL below 400 MB, each PostgreSQL backend below 200 MB of unshared memory, the
 * ordinary clients' p99 within 1.5 × idle of REST and within 5 × of GraphQL, no ordinary request refused. Prints for
 * each case whether it met them, and the longest stall of an ordinary request. Attacker and service share the cores, so
 * compare ratios and not milliseconds.
 */
const seconds = Number(process.env.SECONDS ?? 16);
const rounds = Number(process.env.ROUNDS ?? 3);
const only = process.env.CASE;
const password = "correct horse battery";
const service = await startMeasuredService({ TRUST_PROXY: "loopback", GRAPHQL_INTROSPECTION: "off" });
const { client, url, pids } = service;
const databaseUrl = databaseOf(service.postgres.superuserUrl, "latchkey");
const children: ChildProcess[] = [];

/** Registers accounts and confirms them with SQL, without SMS and rate limits. */
async function createPeople(prefix: number, count: number): Promise<Attack["people"]> {
  const people = Array.from({ length: count }, (_, index) => ({
    phone: `+1212555${prefix}${String(index).padStart(3, "0")}`,
    password,
  }));
  await runConcurrently(count, 4, async (index) => {
    const { phone } = people[index] as Attack["people"][number];
    await client.post("/auth/register", { phone, password });
    await service.query(
      "select private.confirm_registration(r) from private.pending_registration r where r.phone = $1",
      [phone],
    );
  });
  return people;
}

const startProgram = (program: string): ChildProcess => {
  const child = fork(join(import.meta.dirname, "attack", program));
  children.push(child);
  return child;
};
const collect = async <T>(child: ChildProcess): Promise<T> => {
  child.send("collect");
  return ((await once(child, "message")) as [T])[0];
};

type Peaks = Record<"server" | "graphql" | "backend", number>;
const noPeaks = (): Peaks => ({ server: 0, graphql: 0, backend: 0 });
const higher = (a: Peaks, b: Peaks): Peaks => ({
  server: Math.max(a.server, b.server),
  graphql: Math.max(a.graphql, b.graphql),
  backend: Math.max(a.backend, b.backend),
});

/** Samples memory for `ms` milliseconds and returns the peaks. */
async function watchMemory(ms: number): Promise<Peaks> {
  let peaks = noPeaks();
  const end = performance.now() + ms;
  while (performance.now() < end) {
    await delay(100);
    const backends = childrenOf(pids.postgres).map((pid) => memoryOf(pid, "RssAnon"));
    const [server, graphql] = [memoryOf(pids.program), memoryOf(pids.graphql)];
    peaks = higher(peaks, { server, graphql, backend: Math.max(...backends) });
  }
  return peaks;
}

try {
  const ordinary = await createPeople(1, 40);
  const people = await createPeople(2, 50);
  const holders = await createPeople(3, 8);
  const users: string[] = [];
  for (const person of people.slice(0, 8)) users.push(tokensOf(await client.post("/auth/login", person)).access_token);
  /**
   * Each case gets new sessions: a case refreshes them, and the tokens of an earlier case would be refused as reused.
   */
  const openSessions = async () => {
    const sessions: Attack["sessions"] = [];
    for (const person of holders)
      for (let count = 0; count < sessionsPerUser; count++)
        sessions.push(tokensOf(await client.post("/auth/login", person)));
    return sessions;
  };
  const guests: string[] = [];
  for (let index = 0; index < 8; index++) guests.push(tokensOf(await client.post("/auth/session/guest")).access_token);
  // Gives the attacked queries many rows to read: with 300 the slowest mutation ended in time and was not rolled back.
  await service.set({ SESSIONS_PER_USER: "off" });
  await service.query(
    `insert into "user".session (user_id) select a.id from "user".account a, generate_series(1, 1500) where a.phone ~ '^[+]1212555[23]'`,
  );
  const others = startProgram("others.ts");
  others.send({ url, people: ordinary });
  await once(others, "message");
  // The first requests run code that V8 has not compiled yet; they do not count.
  await delay(20_000);
  const idleMemory = await watchMemory(200);
  console.log(
    `at rest: server ${idleMemory.server} MB, GraphQL ${idleMemory.graphql} MB, largest backend ${idleMemory.backend} MB`,
  );

  for (const name of Object.keys(cases).filter((candidate) => !only || candidate.startsWith(only))) {
    const sessions = await openSessions();
    const attacker = startProgram("attacker.ts");
    await once(attacker, "message");
    const idle: Seen[][] = [];
    const underAttack: Seen[][] = [];
    let peaks = noPeaks();
    for (let count = 0; count < rounds; count++) {
      await collect<Seen[]>(others);
      await delay(seconds * 1_000);
      idle.push(await collect<Seen[]>(others));
      if (count === 0) attacker.send({ name, attack: { url, databaseUrl, people, guests, users, sessions } });
      else attacker.kill("SIGCONT");
      peaks = higher(peaks, await watchMemory(seconds * 1_000));
      underAttack.push(await collect<Seen[]>(others));
      // The requests that the attacker has in flight end during the pause, which is not measured.
      if (count < rounds - 1) attacker.kill("SIGSTOP");
      await delay(2_000);
    }
    const counts = await collect<Record<string, number>>(attacker);
    attacker.kill("SIGKILL");
    console.log(describeCase(name, { idle, underAttack, ...peaks }, counts));
  }
} finally {
  for (const child of children) child.kill("SIGKILL");
  await service.stop();
}
