import { hash } from "node:crypto";
import type { ExecutionResult } from "postgraphile/graphql";
import type { ChangeSignal } from "./change_signal.ts";
import type { Stream } from "./stream_query.ts";

/** A read that fails for good is repeated about as often as this, and its error is sent once. */
const longestRetryPauseMs = 60_000;

interface Options {
  /** Executes the query of the subscription's fields, as the caller that the socket is authorized for now. */
  read: () => Promise<ExecutionResult>;
  /** Of a stream: it sends new rows, and nothing where there are none. */
  stream?: Pick<Stream, "take"> | undefined;
  /** Notified when the result may have changed. Closing it ends the live query. */
  changes: ChangeSignal;
  /** Queues each read but the first one. */
  queueRead: <T>(read: () => Promise<T>) => Promise<T>;
  /** Called once, when the live query has ended. */
  onEnd: () => void;
}

/**
 * Runs a subscription as the query of the same fields. Yields its result at once, and again after each change that
 * alters it. Each read runs under the subscriber's row-level security: a notification only causes a read. One that fails
 * is repeated after pauses, until it succeeds. return() ends it at once, even while it waits for a change, which a plain
 * generator could not do.
 */
export function createLiveQuery(options: Options): AsyncIterableIterator<ExecutionResult> {
  const results = readResults(options);
  const end = once(options.onEnd);
  const endIfDone = async (step: Promise<IteratorResult<ExecutionResult, undefined>>) => {
    const result = await step.catch((error: unknown) => {
      end();
      throw error;
    });
    if (result.done) end();
    return result;
  };
  return {
    next: () => endIfDone(results.next()),
    return: () => {
      options.changes.close();
      return endIfDone(results.return(undefined));
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* readResults({ read, stream, changes, queueRead }: Options): AsyncGenerator<ExecutionResult, undefined> {
  const readUnlessClosed = async (): Promise<ExecutionResult | undefined> => {
    // The subscription may have ended while the read was queued.
    if (changes.isClosed) return undefined;
    changes.reset();
    return read();
  };
  let lastDigest = "";
  let failures = 0;
  let result = await readUnlessClosed();
  while (result) {
    const { errors } = result;
    const batch = stream?.take(result) ?? { result, isFull: false };
    if (batch.result) {
      // A digest instead of the result itself, which would take memory for each subscription.
      const digest = hash("sha256", JSON.stringify(batch.result), "base64");
      // The rows of a stream are new ones, though they may look alike.
      if (digest !== lastDigest || (stream && !errors)) yield batch.result;
      lastDigest = digest;
    }
    if (batch.isFull) changes.notify();
    failures = errors ? failures + 1 : 0;
    // Its change would never be sent: the next notification may be of tomorrow.
    const retry = errors && setTimeout(changes.notify, retryPauseMs(failures)).unref();
    const isOpen = await changes.wait();
    clearTimeout(retry);
    result = isOpen ? await queueRead(readUnlessClosed) : undefined;
  }
  return undefined;
}

/** At random, so that those that failed together do not come back together. */
const retryPauseMs = (failures: number) =>
  Math.min(1_000 * 2 ** (failures - 1), longestRetryPauseMs) * (0.5 + Math.random());

function once(callback: () => void): () => void {
  let called = false;
  return () => {
    if (!called) callback();
    called = true;
  };
}
