import { serverConfig } from "../config/config.ts";
import { runService } from "../runtime/operator_error.ts";
import { openLog } from "../runtime/log.ts";
import { stopOnSignals } from "../runtime/signals.ts";
import { startServer } from "./server.ts";

await runService("server", async () => {
  const config = serverConfig(process.env);
  const log = openLog("server", config);
  const server = await startServer(config, log);
  stopOnSignals(log, () => server.stop(), config.DRAIN_DELAY_MS);
  log.info({ url: server.url, metricsUrl: server.metricsUrl }, "the server is listening");
});
