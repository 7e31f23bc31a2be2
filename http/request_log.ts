import type { RequestHandler } from "express";
import type { Log } from "../runtime/log.ts";
import { pathOf } from "./envelope.ts";
import { livePath, readyDeliveryPath, readyPath, webhookPath } from "./paths.ts";
import type { Traces } from "../runtime/traces.ts";
import { openContext, type LogFields } from "./request_context.ts";

/** What the log and the metrics say of a request that has ended. */
export interface EndedRequest {
  method: string;
  /** The pattern that matched, never the path: that may hold a token or a phone that a client put there by mistake. */
  route: string | undefined;
  status: number;
  /** false: the client closed the connection first. */
  answered: boolean;
  ms: number;
  fields: LogFields;
}

export type ObserveRequest = (request: EndedRequest) => void;

/** What beside the log is told of requests. */
export interface Observers {
  /** Counts a request in the metrics. */
  observe?: ObserveRequest | undefined;
  traces?: Traces | undefined;
}

/**
 * Gives each request its context, its id (X-Request-Id, echoed or generated) and its line in the log. Neither bodies
 * nor headers are logged.
 */
export function logRequests(log: Log, { observe, traces }: Observers = {}): RequestHandler {
  // Without redaction: the fields are few and named here, and searching them for secrets would cost more than writing
  // them.
  const lines = log.child({}, { redact: [] });
  return (request, response, next) => {
    const context = openContext(request, log, traces);
    response.setHeader("X-Request-Id", context.id);
    response.on("close", () => {
      const { statusCode: status, writableFinished: answered } = response;
      const { id: requestId, client, logFields, elapsed: ms } = context;
      const { method } = request;
      const route = (request.route as { path: string } | undefined)?.path;
      context.span?.end({
        name: route === undefined ? method : `${method} ${route}`,
        attributes: {
          "http.request.method": method,
          "http.response.status_code": status,
          ...(route !== undefined && { "http.route": route }),
        },
        error: status >= 500 ? String(status) : undefined,
      });
      observe?.({ method, route, status, answered, ms, fields: logFields });
      lines[levelOf(pathOf(request), status, answered, logFields)](
        {
          requestId,
          method,
          route,
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
