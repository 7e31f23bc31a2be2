import { createBatcher } from "./batch.ts";
import { asUnavailable, UnavailableError } from "../../runtime/database/errors.ts";
import { columnOf } from "./api_statements.ts";
import type { Callable } from "./callable.ts";
import type { ConnectionName } from "./connections.ts";

/**
 * A send or the check of a code takes ten times the work of a refresh, and locks the rows of its phone and client until
 * its batch commits.
 */
const maxBatchSizes = { batch: 64, otp_batch: 12 };
const isBatchPool = (pool: ConnectionName): pool is keyof typeof maxBatchSizes => pool in maxBatchSizes;

type Call = (values: unknown[]) => Promise<unknown>;

interface Options {
  runBatch: (callable: Callable, columns: unknown[]) => Promise<unknown[]>;
  runSingle: Call;
  /** Called with each batch's number of calls. */
  onBatch?: ((name: string, size: number) => void) | undefined;
  /** How many calls may wait for the next batch, and how many of them for one row. */
  maxWaiting: number;
  maxWaitingPerRow: number;
}

export interface BatchedCalls {
  call: Call;
  readonly waitingCount: number;
}

/** Calls a function in batches (batch.ts); undefined for a function that declares no pool for them. */
export function batchCalls(callable: Callable, options: Options): BatchedCalls | undefined {
  const { name, pool, argumentNames, lockKeyOf } = callable;
  const { runBatch, runSingle, onBatch, maxWaiting, maxWaitingPerRow } = options;
  if (!isBatchPool(pool) || lockKeyOf === undefined) return undefined;
  const columnsOf = (calls: unknown[][]) =>
    argumentNames.map((_, index) => columnOf(calls.map((values) => values[index])));
  const batcher = createBatcher({
    runBatch: (calls) => {
      onBatch?.(name, calls.length);
      return runBatch(callable, columnsOf(calls));
    },
    runSingle,
    lockKeyOf,
    maxSize: maxBatchSizes[pool],
  });

  /**
   * Prevents one phone from filling the queue of otp_batch. Not for batch: its lock key may be an address that many
   * guests share.
   */
  const isCrowd = (values: unknown[]): boolean =>
    pool === "otp_batch" &&
    batcher.waitingCount >= maxWaitingPerRow &&
    batcher.waitingBeside(values) >= maxWaitingPerRow;

  return {
    get waitingCount() {
      return batcher.waitingCount;
    },
    call: async (values) => {
      if (batcher.waitingCount >= maxWaiting) throw new UnavailableError(`the ${pool} pool is busy`);
      if (isCrowd(values)) throw new UnavailableError("too many calls wait for a row");
      return batcher.call(values).catch((error: unknown) => {
        throw asUnavailable(error);
      });
    },
  };
}
