import { workerConfig } from "../common/config.ts";
import { runMain } from "../common/environment.ts";
import { makeLog } from "../common/log.ts";
import { stopOnSignals } from "../common/signals.ts";
import { startWorker } from "./worker.ts";

await runMain(async () => {
  const config = workerConfig(process.env);
  const log = makeLog("worker", config.LOG_LEVEL);
  const worker = await startWorker(config, log);
  const isStopping = stopOnSignals(log, () => worker.stop());
  // Whoever started this process starts another; one that works no more must not look alive.
  void worker.ended.finally(() => isStopping() || process.exit(1));
  log.info("the worker is waiting for jobs");
});
