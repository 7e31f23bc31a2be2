import type { GraphqlConfig } from "../config/config.ts";
import { serveHttp } from "../http/http_service.ts";
import { ownHost } from "../http/listen.ts";
import type { Log } from "../runtime/log.ts";
import { createGraphql, type Bounds } from "./create_graphql.ts";

export { createGraphql, type Graphql } from "./create_graphql.ts";

export interface RunningGraphql {
  url: string;
  /** Where the metrics are, if OPERATIONS_PORT is set. */
  metricsUrl: string | undefined;
  /** Serves for another DRAIN_DELAY_MS, not ready and closing connections, then waits for the requests in flight. */
  stop: () => Promise<void>;
}

/**
 * Serves GraphQL until stopped.
 * @param bounds for tests
 */
export async function startGraphql(
  config: GraphqlConfig,
  log: Log,
  bounds: Bounds & { stallMs?: number | undefined } = {},
): Promise<RunningGraphql> {
  const graphql = await createGraphql(config, log, bounds);
  const address = { PORT: config.GRAPHQL_PORT, HOST: config.GRAPHQL_HOST, prefix: "GRAPHQL_" };
  const http = await serveHttp(graphql.handler, {
    address,
    upgrade: graphql.upgrade,
    stallMs: bounds.stallMs,
  }).catch(async (error: unknown) => {
    await graphql.stop();
    throw error;
  });
  return {
    url: `http://${ownHost(config.GRAPHQL_HOST)}:${http.port}`,
    metricsUrl: graphql.metricsUrl,
    async stop() {
      graphql.beginStop();
      await http.stop(config.DRAIN_DELAY_MS, graphql.closeSockets);
      await graphql.stop();
    },
  };
}
