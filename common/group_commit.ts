import { endsConnection } from "./shared_connection.ts";

/** A group keeps its rows until its end. */
const largestGroup = 64;

interface Waiting<Call, Answer> {
  call: Call;
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
  /** How long a call that is asked alone keeps others waiting for the next group. */
  patienceMs: number;
  /** Names the row that a call locks: every group locks in one order, so that those of several processes never cross. */
  keyOf: (call: Call) => string;
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
}: Ways<Call, Answer>): GroupCommit<Call, Answer> {
  const waiting: Waiting<Call, Answer>[] = [];
  let underWay = false;

  async function commit(unordered: Waiting<Call, Answer>[]): Promise<void> {
    const keyed = unordered.map((member) => ({ ...member, key: keyOf(member.call) }));
    const group = keyed.sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)));
    try {
      const answers = await together(group.map(({ call }) => call));
      for (const [index, { resolve }] of group.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      // It may have been committed.
      const unknown = endsConnection(error);
      for (const { call, resolve, reject } of group) {
        if (unknown) reject(error);
        else resolve(alone(call));
      }
    }
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, largestGroup);
      const [first] = group;
      if (!first || group.length > 1) await commit(group);
      else {
        const answer = alone(first.call);
        first.resolve(answer);
        await noLongerThan(patienceMs, answer);
      }
    }
    underWay = false;
  }

  return {
    get waitingCount() {
      return waiting.length;
    },
    call: (call) =>
      new Promise((resolve, reject) => {
        waiting.push({ call, resolve, reject });
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
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
