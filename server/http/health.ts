import type { RequestHandler } from "express";
import packageJson from "../../package.json" with { type: "json" };
import { api } from "../database/api_functions.ts";
import type { Database } from "../database/database.ts";
import { within } from "../../runtime/within.ts";
import { sendSuccess } from "./envelope.ts";

const deadlineMs = 1_000;

/** GET /health: 503 when the database does not answer within a second; a load balancer then looks elsewhere. */
export function health(database: Database, environment: string): RequestHandler {
  return async (request, response) => {
    const healthy = (await within(deadlineMs, database.call(api.check_health, {}))) !== undefined;

    if (!healthy) response.set("Retry-After", "2");
    sendSuccess(
      request,
      response,
      healthy ? 200 : 503,
      healthy ? "Healthy." : "The database does not answer.",
      {
        status: healthy ? "ok" : "degraded",
        uptime: Math.round(process.uptime() * 1000) / 1000,
        environment,
        version: packageJson.version,
      },
    );
  };
}
