import { graphqlConfig } from "../config/config.ts";
import { tellParent } from "../runtime/child_program.ts";
import { openLog } from "../runtime/log.ts";
import { runService } from "../runtime/operator_error.ts";
import { stopOnSignals } from "../runtime/signals.ts";
import { startGraphql } from "./index.ts";

await runService("graphql", async () => {
  const config = graphqlConfig(process.env);
  const log = openLog("graphql", config);
  const graphql = await startGraphql(config, log);
  stopOnSignals(log, () => graphql.stop(), config.DRAIN_DELAY_MS);
  log.info({ url: graphql.url, metricsUrl: graphql.metricsUrl }, "GraphQL is listening");
  tellParent(graphql);
});
