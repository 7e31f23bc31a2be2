import { expect, test, vi } from "vitest";
import { workerConfig } from "../../config/config.ts";
import { createLog } from "../../runtime/log.ts";
import { startSilentDatabase } from "../../testing/postgres/silent_database.ts";
import { startWorker } from "../worker.ts";

test.for([
  { name: "a connection", acceptsLogin: false },
  { name: "a statement", acceptsLogin: true },
])("a worker does not wait forever for $name that gets no answer", async ({ acceptsLogin }, { onTestFinished }) => {
  const database = await startSilentDatabase({ acceptsLogin });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const env = {
    WORKER_DATABASE_URL: database.url,
    HASH_PEPPER: Buffer.alloc(32, "pepper").toString("base64"),
  };
  const failed = expect(startWorker(workerConfig(env), createLog("test", "silent"))).rejects.toThrow(/time/);
  await database.untilUnanswered;
  await vi.advanceTimersByTimeAsync(15_000);
  await failed;
});
