import { endsConnection, NotConnected } from "../../runtime/database/errors.ts";

interface Pending<Call, Answer> {
  call: Call;
  lockKey: string;
  resolve: (answer: Answer | PromiseLike<Answer>) => void;
  reject: (error: unknown) => void;
}

export interface Batcher<Call, Answer> {
  call: (call: Call) => Promise<Answer>;
  /** The number of calls that wait for the next batch. */
  readonly waitingCount: number;
  /** The number of waiting calls that have the same lock key as this call. */
  waitingBeside: (call: Call) => number;
}

export interface BatchOptions<Call, Answer> {
  /** Runs all calls in one statement and returns their answers in the same order; fails if a row stays locked. */
  runBatch: (calls: Call[]) => Promise<Answer[]>;
  runSingle: (call: Call) => Promise<Answer>;
  /** Batches are sorted by this key, so that those of different processes seldom deadlock. */
  lockKeyOf: (call: Call) => string;
  /** The most calls of a batch, which holds its row locks until it commits. */
  maxSize: number;
}

/**
 * Batches short writes, of which a commit costs more than the write: calls that arrive while a batch runs form the next
 * one, and are answered after its COMMIT. The calls of a batch that fails are retried alone, so only functions that may
 * be retried can be batched: those that declare `retry: "after rollback"` (api_definition.ts).
 */
export function createBatcher<Call, Answer>({
  runBatch,
  runSingle,
  lockKeyOf,
  maxSize,
}: BatchOptions<Call, Answer>): Batcher<Call, Answer> {
  const pending: Pending<Call, Answer>[] = [];
  /** The number of calls that run alone, by lock key. */
  const runningAlone = new Map<string, number>();
  let isRunning = false;

  async function runAlone({ call, lockKey, resolve }: Pending<Call, Answer>): Promise<void> {
    runningAlone.set(lockKey, (runningAlone.get(lockKey) ?? 0) + 1);
    const answer = runSingle(call);
    await Promise.allSettled([answer]);
    const others = (runningAlone.get(lockKey) ?? 0) - 1;
    if (others > 0) runningAlone.set(lockKey, others);
    else runningAlone.delete(lockKey);
    resolve(answer);
  }

  async function run(batch: Pending<Call, Answer>[]): Promise<void> {
    batch.sort((one, other) => (one.lockKey < other.lockKey ? -1 : Number(one.lockKey > other.lockKey)));
    try {
      const answers = await runBatch(batch.map(({ call }) => call));
      if (answers.length !== batch.length)
        throw new Error(`a batch of ${batch.length} calls has ${answers.length} answers`);
      for (const [index, answer] of answers.entries()) batch[index]?.resolve(answer);
    } catch (error) {
      // If the connection broke after the batch was sent, the batch may be committed, and a retry would do everything
      // twice.
      const mayBeCommitted = endsConnection(error) && !(error instanceof NotConnected);
      for (const member of batch) {
        if (mayBeCommitted) member.reject(error);
        else void runAlone(member);
      }
    }
  }

  async function runAll(): Promise<void> {
    while (pending.length > 0) await run(pending.splice(0, maxSize));
    isRunning = false;
  }

  return {
    get waitingCount() {
      return pending.length;
    },
    waitingBeside: (call) => {
      const key = lockKeyOf(call);
      return pending.filter(({ lockKey }) => lockKey === key).length;
    },
    call: (call) =>
      new Promise((resolve, reject) => {
        const member = { call, lockKey: lockKeyOf(call), resolve, reject };
        // Its row may be locked, which would fail the whole batch.
        if (runningAlone.has(member.lockKey)) return void runAlone(member);
        pending.push(member);
        if (isRunning) return;
        isRunning = true;
        // Calls of the same turn of the event loop join the batch.
        setImmediate(() => void runAll());
      }),
  };
}
