import { UnavailableError } from "../../../runtime/database/errors.ts";
import { systemClock, type Clock } from "../late_refusals.ts";
import { createRecentUsage, type Usage } from "../recent_usage.ts";

export interface DigestQueue {
  /**
   * Runs the work when it is the client's turn. Rejects with the work's own error.
   * @throws UnavailableError when the queue is full or the call waited too long
   */
  run: <T>(client: string, work: () => Promise<T>) => Promise<T>;
}

interface Options {
  /** How many digests of one client may be computed or wait. */
  callsPerClient: number;
  clock?: Clock;
}

interface Entry {
  client: string;
  usage: Usage;
  start: () => void;
  reject: (error: Error) => void;
}

const maxWaiting = 200;
const maxWaitMs = 5_000;
const halfLifeMs = 10_000;

/**
 * Creates the queue for digests of imported hashes. Their costs come from another system and may be thirty times those
 * of a native login, so they use no connection of the password queue and one core at most: native logins go on however
 * many digests wait. The client whose digests took the least time lately goes first, and where too many wait, the
 * client with most of them loses its latest.
 */
export function createDigestQueue({ callsPerClient, clock = systemClock }: Options): DigestQueue {
  const { now, after } = clock;
  const usage = createRecentUsage(now, halfLifeMs);
  const waiting: Entry[] = [];
  let running: Entry | undefined;

  function startNext(): void {
    if (running || waiting.length === 0) return;
    const next = waiting.reduce((first, entry) =>
      usage.recent(entry.usage) < usage.recent(first.usage) ? entry : first,
    );
    waiting.splice(waiting.indexOf(next), 1);
    running = next;
    next.start();
  }

  function refuse(entry: Entry | undefined): void {
    if (!entry || !waiting.includes(entry)) return;
    waiting.splice(waiting.indexOf(entry), 1);
    entry.reject(new UnavailableError("the queue for digests of imported hashes is full"));
  }

  function dropOne(newcomer: Entry): void {
    const byClient = Map.groupBy(waiting, ({ client }) => client);
    const own = byClient.get(newcomer.client) ?? [];
    refuse(
      [...byClient.values()].reduce((most, entries) => (entries.length > most.length ? entries : most), own).at(-1),
    );
  }

  async function execute<T>({ usage: used }: Entry, work: () => Promise<T>): Promise<T> {
    const startedAt = now();
    try {
      return await work();
    } finally {
      usage.add(used, now() - startedAt);
      running = undefined;
      startNext();
    }
  }

  return {
    run: (client, work) =>
      new Promise((resolve, reject) => {
        const entry: Entry = {
          client,
          usage: usage.of(client),
          start: () => void execute(entry, work).then(resolve, reject),
          reject,
        };
        const calls = [running, ...waiting].filter((other) => other?.client === client).length;
        waiting.push(entry);
        if (calls >= callsPerClient) {
          refuse(entry);
          return;
        }
        after(maxWaitMs, () => refuse(entry));
        startNext();
        if (waiting.length > maxWaiting) dropOne(entry);
      }),
  };
}
