import type { RequestHandler } from "express";
import type { ServerConfig } from "../config/config.ts";
import type { Log } from "../runtime/log.ts";
import type { Database } from "./database/database.ts";
import type { Readiness } from "./http/readiness.ts";
import type { PasswordQueue } from "./queues/password_queue.ts";
import type { Deliveries } from "./rest/deliveries.ts";
import type { Tokens } from "./tokens/tokens.ts";

/** What handlers share. */
export interface Services {
  config: ServerConfig;
  log: Log;
  database: Database;
  deliveries: Deliveries;
  readiness: Readiness;
  tokens: Tokens;
  passwordQueue: PasswordQueue;
  /** The handlers of POST /v1/graphql. */
  graphql: RequestHandler[];
}
