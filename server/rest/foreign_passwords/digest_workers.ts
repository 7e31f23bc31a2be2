import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { DigestTask } from "./compute_digest.ts";

export interface DigestWorkers {
  /** Runs computeDigest in a worker thread. The caller bounds how many run at once (server/queues/digest_queue.ts). */
  compute: (task: DigestTask) => Promise<string>;
  stop: () => Promise<void>;
}

/** Starts a worker thread when no idle one exists, and keeps it. If no hash was imported, no thread runs. */
export function createDigestWorkers(): DigestWorkers {
  const workers = new Set<Worker>();
  const idle: Worker[] = [];

  function start(): Worker {
    const worker = new Worker(new URL("./digest_worker.ts", import.meta.url));
    workers.add(worker);
    worker.once("exit", () => {
      workers.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    });
    // compute() reports the failure of a task. Without this listener, the error of an idle worker would end the
    // process.
    worker.on("error", () => undefined);
    return worker;
  }

  return {
    async compute(task) {
      const worker = idle.pop() ?? start();
      worker.ref();
      try {
        const answer = once(worker, "message") as Promise<[{ digest?: string; failure?: string }]>;
        worker.postMessage(task);
        const [{ digest, failure }] = await answer;
        idle.push(worker);
        // An idle worker does not keep the process alive.
        worker.unref();
        if (digest === undefined) throw new Error(`the digest was not computed: ${failure}`);
        return digest;
      } catch (error) {
        if (!idle.includes(worker)) await worker.terminate();
        throw error;
      }
    },
    async stop() {
      idle.length = 0;
      await Promise.all([...workers].map((worker) => worker.terminate()));
    },
  };
}
