import { endsConnection, NotConnected } from "../../runtime/database_errors.ts";

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
  /** What the rows are named by that a call locks: groups lock in one order, so that those of several processes never cross. */
  keyOf: (call: Call) => string;
}

/**
 * Short writes of many callers in one transaction: what is asked for while one group is under way is the next. To commit
 * and to wake a backend costs more than such a write does. Nobody is answered before the commit. A group in which a call
 * fails is rolled back, and each of its calls asked again alone: so it is nobody else's failure. Whatever is about the same
 * row as a call that is asked alone is asked alone too, or one row that is held would keep failing groups.
 * Only for what may be done twice if the first time was rolled back.
 */
export function openGroupCommit<Call, Answer>({
  together,
  alone,
  keyOf,
}: Ways<Call, Answer>): GroupCommit<Call, Answer> {
  const waiting: Waiting<Call, Answer>[] = [];
  /** How many calls about a row are asked alone. */
  const askedAlone = new Map<string, number>();
  let underWay = false;

  async function askAlone({ call, key, resolve }: Waiting<Call, Answer>): Promise<void> {
    askedAlone.set(key, (askedAlone.get(key) ?? 0) + 1);
    const answer = alone(call);
    await Promise.allSettled([answer]);
    const others = (askedAlone.get(key) ?? 0) - 1;
    if (others > 0) askedAlone.set(key, others);
    else askedAlone.delete(key);
    resolve(answer);
  }

  async function commit(group: Waiting<Call, Answer>[]): Promise<void> {
    group.sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)));
    try {
      const answers = await together(group.map(({ call }) => call));
      for (const [index, { resolve }] of group.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      const mayBeCommitted = endsConnection(error) && !(error instanceof NotConnected);
      for (const member of group) {
        if (mayBeCommitted) member.reject(error);
        else void askAlone(member);
      }
    }
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) await commit(waiting.splice(0, largestGroup));
    underWay = false;
  }

  return {
    get waitingCount() {
      return waiting.length;
    },
    call: (call) =>
      new Promise((resolve, reject) => {
        const asked = { call, key: keyOf(call), resolve, reject };
        if (askedAlone.has(asked.key)) return void askAlone(asked);
        waiting.push(asked);
        if (underWay) return;
        underWay = true;
        // Whoever asks in the same turn of the event loop belongs to the group.
        setImmediate(() => void work());
      }),
  };
}
