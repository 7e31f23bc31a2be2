import { hash } from "node:crypto";
import type { ExecutionResult } from "postgraphile/graphql";
import type { ChangeSignal } from "./change_signal.ts";
import type { Stream } from "./stream_query.ts";

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
 * alters it. Each read runs under the subscriber's row-level security: a notification only causes a read. return() ends
 * it at once, even while it waits for a change, which a plain generator could not do.
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
  let result = await readUnlessClosed();
  while (result && stream) {
    const batch = stream.take(result);
    if (batch.result) yield batch.result;
    if (batch.isFull) changes.notify();
    result = (await changes.wait()) ? await queueRead(readUnlessClosed) : undefined;
  }
  while (result) {
    // A digest instead of the result itself, which would take memory for each subscription.
    const digest = hash("sha256", JSON.stringify(result), "base64");
    if (digest !== lastDigest) yield result;
    lastDigest = digest;
    result = (await changes.wait()) ? await queueRead(readUnlessClosed) : undefined;
  }
  return undefined;
}

function once(callback: () => void): () => void {
  let called = false;
  return () => {
    if (!called) callback();
    called = true;
  };
}
