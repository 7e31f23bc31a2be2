import { serverConfig } from "../common/config.ts";
import { runMain } from "../common/environment.ts";
import { makeLog } from "../common/log.ts";
import { stopOnSignals } from "../common/signals.ts";
import { startServer } from "./server.ts";

await runMain(async () => {
  const config = serverConfig(process.env);
  const log = makeLog("server", config.LOG_LEVEL);
  const server = await startServer(config, log);
  stopOnSignals(log, () => server.stop(), config.DRAIN_DELAY_MS);
  log.info({ url: server.url }, "the server is listening");
});
