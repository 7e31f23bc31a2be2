import type { RequestHandler } from "express";
import { randomUUID } from "node:crypto";
import type { Log } from "../runtime/log.ts";
import { clientAddress } from "./client_address.ts";
import { elapsed, pathOf, startTimer } from "./envelope.ts";
import { logFieldsOf, type LogFields } from "./log_fields.ts";
import { livePath, readyDeliveryPath, readyPath, webhookPath } from "./paths.ts";

declare module "node:http" {
  interface IncomingMessage {
    /** Writes lines that carry the request's id. */
    log: Log;
  }
}

/** What we accept as an X-Request-Id: no character that could forge a log line. */
export const acceptableId = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * Gives each request its id (X-Request-Id, echoed or generated) and its line in the log. Neither bodies nor headers are
 * logged.
 */
export function logRequests(log: Log): RequestHandler {
  // Without redaction: the fields are few and named here, and searching them for secrets would cost more than writing
  // them.
  const lines = log.child({}, { redact: [] });
  return (request, response, next) => {
    const received = request.headers["x-request-id"];
    const requestId = typeof received === "string" && acceptableId.test(received) ? received : randomUUID();
    startTimer(request);
    // Read now: a closed socket has no address.
    const client = clientAddress(request);
    // Created on first use: few requests log more than their own line.
    Object.defineProperty(request, "log", { get: () => log.child({ requestId }) });
    response.setHeader("X-Request-Id", requestId);
    response.on("close", () => {
      const { statusCode: status, writableFinished: answered } = response;
      const path = pathOf(request);
      const fields = logFieldsOf(request);
      lines[levelOf(path, status, answered, fields)](
        {
          requestId,
          method: request.method,
          // Not the path: one that matches no route may hold a token or a phone that a client put there by mistake.
          // Undefined without a matched route.
          route: (request.route as { path: string } | undefined)?.path,
          status,
          answered,
          client,
          ...fields,
          ms: elapsed(request),
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
  fields: LogFields | undefined,
): "debug" | "info" | "error" {
  // Readiness is logged when it changes (readiness.ts); probes arrive every second.
  if (path === livePath || path === readyPath || path === readyDeliveryPath) return "debug";
  if (fields?.forwarded) return "debug";
  // A 503 by a limit of the client is a refusal, not a fault of the service.
  if (status >= 500 && fields?.policy === undefined) return "error";
  // An engine calls the webhook for each of its requests and logs those itself.
  return answered && status < 400 && path === webhookPath ? "debug" : "info";
}
