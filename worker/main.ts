import { workerConfig } from "../config/config.ts";
import { runService } from "../runtime/operator_error.ts";
import { openLog } from "../runtime/log.ts";
import { stopOnSignals } from "../runtime/signals.ts";
import { startWorker } from "./worker.ts";

await runService("worker", async () => {
  const config = workerConfig(process.env);
  const log = openLog("worker", config);
  const worker = await startWorker(config, log);
  stopOnSignals(log, () => worker.stop());
  log.info({ metricsUrl: worker.metricsUrl }, "the worker is waiting for jobs");
});
