import { graphqlConfig, serverConfig } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import { startGraphql, type RunningGraphql } from "../../graphql/index.ts";
import type { CreateSchema } from "../../graphql/engine/engines.ts";
import type { SocketBounds } from "../../graphql/transport/socket_places.ts";
import type { Log } from "../../runtime/log.ts";
import type { PrintedMessages } from "../../runtime/printed_messages.ts";
import { startServer, type RunningServer } from "../../server/server.ts";

interface Options {
  printedMessages?: PrintedMessages | undefined;
  /** How long an answer may stay unread. */
  stallMs?: number | undefined;
  /** How many authorized sockets a server may have open. */
  sockets?: SocketBounds | undefined;
  createSchema?: CreateSchema | undefined;
}

/**
 * Time-outs of database calls, longer than in production: tests hold locks, and a busy machine takes seconds to
 * connect.
 */
const timeouts = { connectionTimeoutMs: 60_000, longestMs: 70_000 };

/**
 * Starts a server with GraphQL behind it, both in this process. GraphQL starts with the first request for it: most
 * tests never ask it, and its schemas take time. With GRAPHQL_UPSTREAM=off the server does not forward to it.
 */
export async function startServerWithGraphql(
  env: Environment,
  log: Log,
  { printedMessages, stallMs, sockets, createSchema }: Options = {},
): Promise<
  RunningServer & { graphqlUrl: () => Promise<string>; graphqlMetricsUrl: () => Promise<string | undefined> }
> {
  let graphql: Promise<RunningGraphql> | undefined;
  const { connectionTimeoutMs } = timeouts;
  const start = () =>
    startGraphql(graphqlConfig({ AUTH_WEBHOOK_URL: server.webhookUrl, GRAPHQL_PORT: "0", ...env }), log, {
      connectionTimeoutMs,
      stallMs,
      sockets,
      createSchema,
    });
  const graphqlUrl = async () => (await (graphql ??= start())).url;
  const stopGraphql = async () => (await graphql?.catch(() => undefined))?.stop();
  const isForwarded = env.GRAPHQL_UPSTREAM !== "off";
  const server = await startServer(serverConfig(env), log, {
    printedMessages,
    graphql: isForwarded ? { url: graphqlUrl, stop: stopGraphql } : undefined,
    bounds: { ...timeouts, stallMs },
  });
  return {
    ...server,
    graphqlUrl,
    graphqlMetricsUrl: async () => (await (graphql ??= start())).metricsUrl,
    async stop() {
      if (!isForwarded) await stopGraphql();
      await server.stop();
    },
  };
}
