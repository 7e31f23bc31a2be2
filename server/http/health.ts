import type { Request, RequestHandler } from "express";
import packageJson from "../../package.json" with { type: "json" };
import { api } from "../database/api_functions.ts";
import type { Database } from "../database/database.ts";
import { UnavailableError } from "../../runtime/database/errors.ts";
import { within } from "../../runtime/within.ts";
import { failureFields, sendSuccess } from "../../http/envelope.ts";
import { isFault, toProblem } from "../../http/failures.ts";
import { contextOf } from "../../http/request_context.ts";
import type { Problem } from "../../http/problem.ts";

const deadlineMs = 1_000;

/** Every failure makes the health check answer 503; a fault of ours is logged as it is on any other route. */
function unhealthy(request: Request, failure: unknown): Problem {
  const context = contextOf(request);
  if (isFault(failure)) context.log.error({ err: failure }, "the health check failed");
  const problem = toProblem(new UnavailableError((failure as Error).message));
  context.addLogFields(failureFields(problem));
  return problem;
}

/** GET /health: 503 when the database does not answer within a second; a load balancer then uses another server. */
export function health(database: Database, environment: string): RequestHandler {
  return async (request, response) => {
    let failure: unknown = new UnavailableError(`no answer within ${deadlineMs} ms`);
    const call = database.call(api.check_health, {}).catch((error: unknown) => {
      failure = error;
      throw error;
    });
    const isHealthy = (await within(deadlineMs, call)) !== undefined;
    const { status, headers } = isHealthy ? { status: 200, headers: {} } : unhealthy(request, failure);
    response.set(headers);
    sendSuccess(request, response, status, isHealthy ? "Healthy." : "The database does not answer.", {
      status: isHealthy ? "ok" : "degraded",
      uptime: Math.round(process.uptime() * 1000) / 1000,
      environment,
      version: packageJson.version,
    });
  };
}
