import { networkOf, timesForNetwork } from "../../runtime/networks.ts";
import { ClientBusyError, UnavailableError } from "../../runtime/database/errors.ts";
import { createLateRefusals, systemClock, type Clock } from "./late_refusals.ts";
import { createRecentUsage, type Usage } from "./recent_usage.ts";

export interface PasswordCall {
  /** The client's address, as rate limits count it. */
  client: string;
  /** Whose rows the call locks: the phone in E.164, or for a caller who is signed in the user's id. */
  subject: string;
}

export interface PasswordQueue {
  /**
   * Runs the work when it is the call's turn. Rejects with the work's own error.
   * @throws UnavailableError, after a delay, when the queue is full or the call waited too long; ClientBusyError, also delayed, when
   * the client has all the calls that it may have
   */
  run: <T>(call: PasswordCall, work: () => Promise<T>) => Promise<T>;
  readonly runningCount: number;
  readonly waitingCount: number;
}

interface Options {
  /** How many calls run at once: the size of their connection pool. */
  connections: number;
  /**
   * How many of the connections are used only while other calls wait for a locked row, or while nothing else runs. Each
   * call that runs bcrypt keeps a core busy, and everything else needs the cores too.
   */
  spareConnections?: number;
  /** How many of the connections heavy calls may use while anything else runs. */
  heavyConnections?: number;
  /** Whether nothing else has used the cores lately: then every connection may run bcrypt. Default: never. */
  isAlone?: () => boolean;
  /** How many calls may wait. */
  waiting: number;
  /** How many calls of one client may run or wait; ten times as many of its network. */
  callsPerClient: number;
  clock?: Clock;
}

interface Entry {
  client: string;
  network: string;
  subject: string;
  usages: { client: Usage; subject: Usage };
  since: number;
  start: () => void;
  refuse: () => void;
}

/** Recent calls, waiting ones included, from which a client or subject is heavy. */
const heavyThreshold = 5;
/**
 * Half-life of the call counts. Calls are counted, and not their time, because each does the work of one native hash at
 * the highest cost in use: on a slow machine the time of a single login would make its client heavy. Imported hashes
 * cost what their parameters say, so digest_queue.ts charges time.
 */
const halfLifeMs = 60_000;
/**
 * A heavy call occupies its connection for at least this time, as bcrypt does, even if a rate limit refuses it at once.
 */
const minHeavyMs = 50;
/** A call that takes longer no longer runs bcrypt: it waits for a locked row, or the database is overloaded. */
const maxComputingMs = 400;
/** A call that waits longer is refused. Light calls wait this long only if the database does not respond. */
const maxWaitMs = 5_000;

/**
 * Creates the queue for calls that run bcrypt, each of which uses 50 ms of a core. A call is heavy if its client, or
 * any clients for its subject, called often lately, successfully or not. Light calls go first and may use every
 * connection; heavy calls may use few, unless nothing else runs. So a client that logs in occasionally neither waits behind a flood nor is
 * dropped in its place.
 */
export function createPasswordQueue({
  connections,
  spareConnections = 0,
  heavyConnections = 1,
  isAlone = () => false,
  waiting: maxWaiting,
  callsPerClient: maxCallsPerClient,
  clock = systemClock,
}: Options): PasswordQueue {
  const { now, after } = clock;
  const recentCalls = {
    client: createRecentUsage(now, halfLifeMs),
    subject: createRecentUsage(now, halfLifeMs),
  };
  const waiting: Entry[] = [];
  const running = new Set<Entry>();
  /** Running calls that presumably run bcrypt, because they started less than maxComputingMs ago. */
  const computing = new Set<Entry>();
  const computingBeside = Math.max(1, connections - spareConnections);
  let heavyRunning = 0;
  const refuseLate = createLateRefusals(clock);

  const byClient = ({ usages }: Entry) => recentCalls.client.recent(usages.client);
  const bySubject = ({ usages }: Entry) => recentCalls.subject.recent(usages.subject);
  const isHeavy = (entry: Entry) => byClient(entry) >= heavyThreshold || bySubject(entry) >= heavyThreshold;
  /**
   * Negative if a goes first. The subject's calls do not count here: otherwise guessers could delay a phone's owner.
   */
  const compare = (a: Entry, b: Entry) => Number(isHeavy(a)) - Number(isHeavy(b)) || byClient(a) - byClient(b);

  function count({ usages }: Entry, calls: number): void {
    recentCalls.client.add(usages.client, calls);
    recentCalls.subject.add(usages.subject, calls);
  }

  function drop(entry: Entry): void {
    waiting.splice(waiting.indexOf(entry), 1);
    count(entry, -1);
    entry.refuse();
  }

  /** Refuses overdue calls and starts the calls whose turn it is. */
  function startWaiting(): void {
    const overdue = now() - maxWaitMs;
    waiting.filter(({ since }) => since < overdue).forEach(drop);
    const maxComputing = isAlone() ? connections : computingBeside;
    const maxHeavy = isAlone() ? connections : heavyConnections;
    while (running.size < connections && computing.size < maxComputing) {
      const heavyMayRun = heavyRunning < maxHeavy;
      // One call per subject at a time: they lock the same rows, and those that wait would occupy the connections.
      const busySubjects = new Set([...running].map(({ subject }) => subject));
      const allowed = waiting.filter((entry) => !busySubjects.has(entry.subject) && (heavyMayRun || !isHeavy(entry)));
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
    if (spareConnections > 0) after(maxComputingMs, () => endComputing(entry));
    if (heavy) heavyRunning++;
    try {
      return await work();
    } finally {
      running.delete(entry);
      computing.delete(entry);
      if (heavy) after(Math.max(0, startedAt + minHeavyMs - now()), endHeavy);
      startWaiting();
    }
  }

  function endComputing(entry: Entry): void {
    if (computing.delete(entry)) startWaiting();
  }

  function endHeavy(): void {
    heavyRunning--;
    startWaiting();
  }

  return {
    get runningCount() {
      return running.size;
    },
    get waitingCount() {
      return waiting.length;
    },
    run: ({ client, subject }, work) =>
      new Promise((resolve, reject) => {
        const network = networkOf(client);
        const ofNetwork = [...running, ...waiting].filter((entry) => entry.network === network);
        const callsOfClient = ofNetwork.filter((entry) => entry.client === client).length;
        if (callsOfClient >= maxCallsPerClient || ofNetwork.length >= maxCallsPerClient * timesForNetwork) {
          const message = `the client has ${maxCallsPerClient} password calls at once`;
          refuseLate(reject, new ClientBusyError(message, "PASSWORD_CALLS_PER_CLIENT"));
          return;
        }
        const entry: Entry = {
          client,
          network,
          subject,
          usages: { client: recentCalls.client.of(client), subject: recentCalls.subject.of(subject) },
          since: now(),
          start: () => void execute(entry, work).then(resolve, reject),
          refuse: () => refuseLate(reject, new UnavailableError("the queue for passwords is full")),
        };
        count(entry, 1);
        waiting.push(entry);
        startWaiting();
        // Among equal calls the newest is dropped, because it has waited least.
        if (waiting.length > maxWaiting)
          drop(waiting.reduce((worst, other) => (compare(other, worst) >= 0 ? other : worst)));
      }),
  };
}
