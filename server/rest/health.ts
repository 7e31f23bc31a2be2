import type { RequestHandler } from "express";
import { setTimeout as delay } from "node:timers/promises";
import packageJson from "../../package.json" with { type: "json" };
import type { Services } from "../app.ts";
import { sendSuccess } from "./envelope.ts";

const patienceMs = 1_000;

/** GET /health: 503 when the database does not answer within a second; a load balancer then looks elsewhere. */
export function health({ config, database }: Services): RequestHandler {
  return async (request, response) => {
    const over = new AbortController();
    const answered = database.call("check_health", {}).then(
      () => true,
      () => false,
    );
    const tooLate = delay(patienceMs, false, { signal: over.signal }).catch(() => false);
    const healthy = await Promise.race([answered, tooLate]);
    over.abort();

    if (!healthy) response.set("Retry-After", "2");
    sendSuccess(
      request,
      response,
      healthy ? 200 : 503,
      healthy ? "Healthy." : "The database does not answer.",
      {
        status: healthy ? "ok" : "degraded",
        uptime: Math.round(process.uptime() * 1000) / 1000,
        environment: config.NODE_ENV,
        version: packageJson.version,
      },
    );
  };
}
