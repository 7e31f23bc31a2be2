import type { RequestHandler } from "express";
import type { GraphQLSchema } from "postgraphile/graphql";
import helmet from "helmet";
import type { RequestListener } from "node:http";
import type { GraphqlConfig } from "../config/config.ts";
import { allowOrigins } from "../http/cross_origin.ts";
import { createExpress, mount, notFound } from "../http/express_app.ts";
import { handleErrors } from "../http/failures.ts";
import { consolePath, graphqlPath, livePath, readyPath } from "../http/paths.ts";
import { sendLive, sendProbe } from "../http/probes.ts";
import type { Readiness } from "../http/readiness.ts";
import type { Observers } from "../http/request_log.ts";
import { warnOfIgnoredForwarding } from "../http/trusted_proxies.ts";
import type { Log } from "../runtime/log.ts";
import { sendGraphiql, sendGraphiqlFile } from "./transport/graphiql_page.ts";
import { sendUserSchema } from "./transport/schema_file.ts";

interface Options {
  config: GraphqlConfig;
  log: Log;
  readiness: Readiness;
  /** The schema of guests and users. */
  userSchema: GraphQLSchema;
  /** The handler of POST and GET /v1/graphql. */
  execute: RequestHandler;
  observers: Observers;
}

/** Builds the request listener. A request passes its handlers in this order. */
export function createApp({ config, log, readiness, userSchema, execute, observers }: Options): RequestListener {
  const app = createExpress(config.GRAPHQL_TRUST_PROXY, log, observers);
  app.use(warnOfIgnoredForwarding(log, "GRAPHQL_TRUST_PROXY"));
  app.use(helmet());
  app.use(allowOrigins(config.CORS_ORIGINS, log));
  mount(app, graphqlPath, { POST: [execute], GET: [execute] });
  if (config.GRAPHQL_INTROSPECTION) mount(app, `${graphqlPath}/schema.graphql`, { GET: [sendUserSchema(userSchema)] });
  if (config.CONSOLE) {
    mount(app, consolePath, { GET: [sendGraphiql] });
    mount(app, `${consolePath}/static/:file`, { GET: [sendGraphiqlFile] });
  }
  mount(app, livePath, { GET: [sendLive] });
  mount(app, readyPath, { GET: [sendProbe(readiness.failed)] });
  app.use(notFound);
  app.use(handleErrors());
  return app;
}
