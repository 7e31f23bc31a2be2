import { createLateRefusals, systemClock, type Clock } from "./late_refusals.ts";
import { createRecentUsage, type Usage } from "./recent_usage.ts";

export interface PasswordCall {
  /** The client's address, as limits count it. */
  client: string;
  /** E.164. */
  phone: string;
}

export interface PasswordQueue {
  /** Runs the work when it is the call's turn. Throws Unavailable if the queue has no room for the call. */
  run: <T>(call: PasswordCall, work: () => Promise<T>) => Promise<T>;
}

interface Options {
  /** Calls that run at once: the connections of their pool. */
  connections: number;
  /**
   * Those of them that are used only while others wait for a row: bcrypt keeps a core busy with each call that computes, and everything
   * else shares the cores.
   */
  spareConnections?: number;
  /** Those of them that heavy calls may use. */
  heavyConnections?: number;
  /** Calls that wait. */
  waiting: number;
  clock?: Clock;
}

interface Entry {
  client: string;
  phone: string;
  usages: { client: Usage; phone: Usage };
  since: number;
  start: () => void;
  refuse: () => void;
}

/** Calls of one client that run or wait. */
const perClient = 8;
/** Recent calls of a client, or for a phone, from which it is heavy; those that wait count too. */
const heavyCalls = 5;
/**
 * Calls are counted and not their time: that depends on the machine, its load and the hash's cost, and would make whoever logs in once on a
 * slow one a heavy client.
 */
const halfLifeMs = 60_000;
/** A heavy call takes at least so long, as bcrypt does: refusals by a limit are cheap, and come back at once. */
const shortestHeavyMs = 50;
/** A call that takes longer waits for a row that somebody holds, or the database has more to do than it can. */
const longestComputingMs = 400;
/** A light call waits longer only while the database does not answer. */
const longestWaitMs = 5_000;

/**
 * Queues the calls that run bcrypt, each of which burns 50 ms of a core, by how often their client called lately and how
 * often it was for their phone, whatever came of it. Light calls go first and may use every connection; heavy calls use
 * few. So a client that signs in now and then neither waits for those that flood nor is dropped in their place.
 */
export function createPasswordQueue({
  connections,
  spareConnections = 0,
  heavyConnections = 1,
  waiting: room,
  clock = systemClock,
}: Options): PasswordQueue {
  const { now, after } = clock;
  const books = {
    client: createRecentUsage(now, halfLifeMs),
    phone: createRecentUsage(now, halfLifeMs),
  };
  const waiting: Entry[] = [];
  const running = new Set<Entry>();
  /** Those of them that compute, as far as their time tells. */
  const computing = new Set<Entry>();
  const computingAtOnce = Math.max(1, connections - spareConnections);
  let heavyRunning = 0;
  const refuseLate = createLateRefusals(clock);

  const byClient = ({ usages }: Entry) => books.client.recent(usages.client);
  const byPhone = ({ usages }: Entry) => books.phone.recent(usages.phone);
  const isHeavy = (entry: Entry) => byClient(entry) >= heavyCalls || byPhone(entry) >= heavyCalls;
  /** Negative if a goes first. The phone's calls are no rank: guesses at a phone must not put its owner behind the guessers. */
  const compare = (a: Entry, b: Entry) =>
    Number(isHeavy(a)) - Number(isHeavy(b)) || byClient(a) - byClient(b);

  function count({ usages }: Entry, calls: number): void {
    books.client.add(usages.client, calls);
    books.phone.add(usages.phone, calls);
  }

  function drop(entry: Entry): void {
    waiting.splice(waiting.indexOf(entry), 1);
    count(entry, -1);
    entry.refuse();
  }

  /** Starts the calls whose turn it is. */
  function proceed(): void {
    const overdue = now() - longestWaitMs;
    waiting.filter(({ since }) => since < overdue).forEach(drop);
    while (running.size < connections && computing.size < computingAtOnce) {
      const heavyMayRun = heavyRunning < heavyConnections;
      // One call of a phone at a time: they lock the same rows, and those that wait for a lock would fill the connections.
      const phones = new Set([...running].map(({ phone }) => phone));
      const allowed = waiting.filter((entry) => !phones.has(entry.phone) && (heavyMayRun || !isHeavy(entry)));
      if (allowed.length === 0) return;
      const next = allowed.reduce((first, entry) => (compare(entry, first) < 0 ? entry : first));
      waiting.splice(waiting.indexOf(next), 1);
      next.start();
    }
  }

  async function execute<T>(entry: Entry, work: () => Promise<T>): Promise<T> {
    const startedAt = now();
    const heavy = isHeavy(entry);
    running.add(entry);
    computing.add(entry);
    if (spareConnections > 0) after(longestComputingMs, () => endComputing(entry));
    if (heavy) heavyRunning++;
    try {
      return await work();
    } finally {
      running.delete(entry);
      computing.delete(entry);
      if (heavy) after(Math.max(0, startedAt + shortestHeavyMs - now()), endHeavy);
      proceed();
    }
  }

  function endComputing(entry: Entry): void {
    if (computing.delete(entry)) proceed();
  }

  function endHeavy(): void {
    heavyRunning--;
    proceed();
  }

  return {
    run: ({ client, phone }, work) =>
      new Promise((resolve, reject) => {
        const ofClient = [...running, ...waiting].filter((entry) => entry.client === client).length;
        if (ofClient >= perClient) {
          refuseLate(reject);
          return;
        }
        const entry: Entry = {
          client,
          phone,
          usages: { client: books.client.of(client), phone: books.phone.of(phone) },
          since: now(),
          start: () => void execute(entry, work).then(resolve, reject),
          refuse: () => refuseLate(reject),
        };
        count(entry, 1);
        waiting.push(entry);
        proceed();
        // Of equals the newest is dropped, which has waited least.
        if (waiting.length > room)
          drop(waiting.reduce((worst, other) => (compare(other, worst) >= 0 ? other : worst)));
      }),
  };
}
