import { workerConfig } from "../common/config.ts";
import { runMain } from "../common/environment.ts";
import { makeLog } from "../common/log.ts";
import { stopOnSignals } from "../common/signals.ts";
import { startWorker } from "./worker.ts";

await runMain(async () => {
  const config = workerConfig(process.env);
  const log = makeLog("worker", config.LOG_LEVEL);
  const worker = await startWorker(config, log);
  stopOnSignals(log, () => worker.stop());
  log.info("the worker is waiting for jobs");
});
