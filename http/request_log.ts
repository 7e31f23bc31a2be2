import type { RequestHandler } from "express";
import type { Log } from "../runtime/log.ts";
import { pathOf } from "./envelope.ts";
import { livePath, readyDeliveryPath, readyPath, webhookPath } from "./paths.ts";
import { openContext, type LogFields } from "./request_context.ts";

/**
 * Gives each request its context, its id (X-Request-Id, echoed or generated) and its line in the log. Neither bodies
 * nor headers are logged.
 */
export function logRequests(log: Log): RequestHandler {
  // Without redaction: the fields are few and named here, and searching them for secrets would cost more than writing
  // them.
  const lines = log.child({}, { redact: [] });
  return (request, response, next) => {
    const context = openContext(request, log);
    response.setHeader("X-Request-Id", context.id);
    response.on("close", () => {
      const { statusCode: status, writableFinished: answered } = response;
      const { id: requestId, client, logFields, elapsed: ms } = context;
      lines[levelOf(pathOf(request), status, answered, logFields)](
        {
          requestId,
          method: request.method,
          // Not the path: one that matches no route may hold a token or a phone that a client put there by mistake.
          // Undefined without a matched route.
          route: (request.route as { path: string } | undefined)?.path,
          status,
          answered,
          client,
          ...logFields,
          ms,
        },
        "request",
      );
    });
    next();
  };
}

function levelOf(
  path: string,
  status: number,
  answered: boolean,
  { forwarded, policy }: LogFields,
): "debug" | "info" | "error" {
  // Readiness is logged when it changes (readiness.ts); probes arrive every second.
  if (path === livePath || path === readyPath || path === readyDeliveryPath) return "debug";
  if (forwarded) return "debug";
  // A 503 by a limit of the client is a refusal, not a fault of the service.
  if (status >= 500 && policy === undefined) return "error";
  // An engine calls the webhook for each of its requests and logs those itself.
  return answered && status < 400 && path === webhookPath ? "debug" : "info";
}
