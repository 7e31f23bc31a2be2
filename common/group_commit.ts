import type pg from "pg";
import type { Asked, SharedConnection } from "./shared_connection.ts";

/** How long a group waits for a row that somebody holds: less than PostgreSQL's deadlock_timeout, so it is no victim's cause. */
const longestLockMs = 100;
/** A group keeps its rows until its end. */
const largestGroup = 64;

interface Call {
  query: pg.QueryConfig;
  resolve: (result: pg.QueryResult) => void;
  reject: (error: unknown) => void;
}

/**
 * Short writes of many callers in one transaction: what is asked for while one group is under way is the next. To commit
 * and to wake a backend costs more than such a write does. Nobody is answered before the commit. A group in which a
 * statement fails, or waits for a row, is rolled back, and each of its calls asked again alone: so it is nobody else's
 * failure, and nobody else waits for more than a moment. A call that has no company is asked alone at once.
 * Only for statements that may run twice if the first time was rolled back.
 */
export function openGroupCommit(connection: SharedConnection, alone: Asked): Asked {
  const waiting: Call[] = [];
  let underWay = false;

  const askAlone = ({ query, resolve, reject }: Call) => alone.query(query).then(resolve, reject);

  async function commitTogether(group: Call[]): Promise<void> {
    try {
      const outcomes = await connection.inOneGo((client) => inOneTransaction(client, group));
      for (const [index, call] of group.entries()) {
        const outcome = outcomes?.[index];
        if (!outcome) void askAlone(call);
        else if (outcome.status === "fulfilled") call.resolve(outcome.value);
        else call.reject(outcome.reason);
      }
    } catch (error) {
      // Nobody knows whether it was committed: to ask again could do it twice.
      for (const { reject } of group) reject(error);
    }
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, largestGroup);
      const [first] = group as [Call];
      await (group.length === 1 ? noLongerThan(longestLockMs, askAlone(first)) : commitTogether(group));
    }
    underWay = false;
  }

  return {
    get waitingCount() {
      return waiting.length;
    },
    query<Row extends pg.QueryResultRow>(query: pg.QueryConfig) {
      return new Promise<pg.QueryResult<Row>>((resolve, reject) => {
        waiting.push({ query, resolve: resolve as Call["resolve"], reject });
        if (underWay) return;
        underWay = true;
        // Whoever asks in the same turn of the event loop belongs to the group.
        setImmediate(() => void work());
      });
    },
  };
}

/** What became of each statement, or nothing if PostgreSQL rolled them back. */
async function inOneTransaction(
  client: pg.Client,
  group: Call[],
): Promise<PromiseSettledResult<pg.QueryResult>[] | undefined> {
  const sent = [
    client.query(`begin; set local lock_timeout to ${longestLockMs}`),
    ...group.map(({ query }) => client.query(query)),
    client.query("commit"),
  ];
  const outcomes = await Promise.allSettled(sent);
  const end = outcomes.at(-1);
  if (end?.status !== "fulfilled") throw end?.reason;
  return end.value.command === "COMMIT" ? outcomes.slice(1, -1) : undefined;
}

function noLongerThan(milliseconds: number, work: Promise<unknown>): Promise<unknown> {
  return new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
