import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { DigestTask } from "./compute_digest.ts";

export interface DigestWorker {
  /** Runs computeDigest in a thread, one at a time: digest_queue.ts calls it when the one before has ended. */
  compute: (task: DigestTask) => Promise<string>;
  stop: () => Promise<void>;
}

/** Starts its thread for the first task, and keeps it. If no hash was imported, none runs. */
export function createDigestWorker(): DigestWorker {
  let thread: Worker | undefined;

  function start(): Worker {
    const started = new Worker(new URL("./digest_thread.ts", import.meta.url));
    started.once("exit", () => (thread = undefined));
    // compute() reports the failure of a task. Without this listener, the error of an idle thread would end the
    // process.
    started.on("error", () => undefined);
    return started;
  }

  return {
    async compute(task) {
      const worker = (thread ??= start());
      worker.ref();
      const answer = once(worker, "message") as Promise<[{ digest?: string; failure?: string }]>;
      worker.postMessage(task);
      const [{ digest, failure }] = await answer;
      // An idle thread does not keep the process alive.
      worker.unref();
      if (digest === undefined) throw new Error(`the digest was not computed: ${failure}`);
      return digest;
    },
    async stop() {
      await thread?.terminate();
    },
  };
}
