import { parentPort } from "node:worker_threads";
import { computeDigest, type DigestTask } from "./compute_digest.ts";

/** The thread of digest_worker.ts: one task at a time. */
parentPort?.on("message", (task: DigestTask) => {
  computeDigest(task).then(
    (digest) => parentPort?.postMessage({ digest }),
    (error: unknown) => parentPort?.postMessage({ failure: (error as Error).message }),
  );
});
