import type { RequestHandler } from "express";
import packageJson from "../../package.json" with { type: "json" };
import { api } from "../database/api_functions.ts";
import type { Database } from "../database/database.ts";
import { UnavailableError } from "../../runtime/database_errors.ts";
import { within } from "../../runtime/within.ts";
import { sendSuccess } from "./envelope.ts";
import { toProblem } from "./failures.ts";

const deadlineMs = 1_000;

/** GET /health: 503 when the database does not answer within a second; a load balancer then looks elsewhere. */
export function health(database: Database, environment: string): RequestHandler {
  return async (request, response) => {
    const isHealthy = (await within(deadlineMs, database.call(api.check_health, {}))) !== undefined;
    const { status, headers } = isHealthy ? { status: 200, headers: {} } : toProblem(new UnavailableError());
    response.set(headers);
    sendSuccess(request, response, status, isHealthy ? "Healthy." : "The database does not answer.", {
      status: isHealthy ? "ok" : "degraded",
      uptime: Math.round(process.uptime() * 1000) / 1000,
      environment,
      version: packageJson.version,
    });
  };
}
