import { endsConnection, NotConnected } from "./shared_connection.ts";

/** A group keeps its rows until its end. */
const largestGroup = 64;

interface Waiting<Call, Answer> {
  call: Call;
  key: string;
  resolve: (answer: Answer | PromiseLike<Answer>) => void;
  reject: (error: unknown) => void;
}

export interface GroupCommit<Call, Answer> {
  call: (call: Call) => Promise<Answer>;
  readonly waitingCount: number;
}

export interface Ways<Call, Answer> {
  /** Answers all calls, in their order, by one statement, which gives up when it has to wait for a row. */
  together: (calls: Call[]) => Promise<Answer[]>;
  alone: (call: Call) => Promise<Answer>;
  /** How long calls that are asked alone keep others waiting for the next group. */
  patienceMs: number;
  /** What the rows are named by that a call locks: groups lock in one order, so that those of several processes never cross. */
  keyOf: (call: Call) => string;
  /** After a group that failed everybody is asked alone for so long, or one row that is held would keep failing groups. */
  restMs?: number;
}

/**
 * Short writes of many callers in one transaction: what is asked for while one group is under way is the next. To commit
 * and to wake a backend costs more than such a write does. Nobody is answered before the commit. A group in which a call
 * fails is rolled back, and each of its calls asked again alone: so it is nobody else's failure. A call that has no company
 * is asked alone at once. Only for what may be done twice if the first time was rolled back.
 */
export function openGroupCommit<Call, Answer>({
  together,
  alone,
  patienceMs,
  keyOf,
  restMs = 1_000,
}: Ways<Call, Answer>): GroupCommit<Call, Answer> {
  const waiting: Waiting<Call, Answer>[] = [];
  let underWay = false;
  let resting = 0;

  /** Those that come behind wait for a moment, so that they do not outrun what alone can take. */
  function askAlone(members: Waiting<Call, Answer>[]): Promise<unknown> {
    const answers = members.map(async ({ call, resolve, reject }) => {
      await alone(call).then(resolve, reject);
    });
    return noLongerThan(patienceMs, Promise.all(answers));
  }

  async function commit(group: Waiting<Call, Answer>[]): Promise<void> {
    group.sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)));
    try {
      const answers = await together(group.map(({ call }) => call));
      for (const [index, { resolve }] of group.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      resting = performance.now() + restMs;
      const mayBeCommitted = endsConnection(error) && !(error instanceof NotConnected);
      if (!mayBeCommitted) await askAlone(group);
      else for (const { reject } of group) reject(error);
    }
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, largestGroup);
      const haveCompany = group.length > 1 && performance.now() >= resting;
      await (haveCompany ? commit(group) : askAlone(group));
    }
    underWay = false;
  }

  return {
    get waitingCount() {
      return waiting.length;
    },
    call: (call) =>
      new Promise((resolve, reject) => {
        waiting.push({ call, key: keyOf(call), resolve, reject });
        if (underWay) return;
        underWay = true;
        // Whoever asks in the same turn of the event loop belongs to the group.
        setImmediate(() => void work());
      }),
  };
}

async function noLongerThan(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}
