import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../../runtime/log.ts";
import { clientAddress } from "./client_address.ts";
import { elapsed, pathOf, startTimer } from "./envelope.ts";
import { logFieldsOf } from "./log_fields.ts";
import { livePath, readyPath, webhookPath } from "./paths.ts";

declare module "node:http" {
  interface IncomingMessage {
    /** Writes lines that carry the request's id. */
    log: Log;
  }
}

/** Ids that a proxy or client may choose: nothing that could forge a log line. */
const acceptableId = /^[A-Za-z0-9._:-]{1,128}$/;

/** Gives a request its id (X-Request-Id, echoed or made) and its line in the log. Neither bodies nor headers are logged. */
export function followRequest(
  log: Log,
): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  // Its fields are few and named here: looking for secrets among them would cost more than writing them.
  const lines = log.child({}, { redact: [] });
  return (request, response, next) => {
    const given = request.headers["x-request-id"];
    const requestId = typeof given === "string" && acceptableId.test(given) ? given : randomUUID();
    startTimer(request);
    // Now: a socket that is closed has no address any more.
    const client = clientAddress(request);
    // Made when it is asked for: few requests have more to say than their own line.
    Object.defineProperty(request, "log", { get: () => log.child({ requestId }) });
    response.setHeader("X-Request-Id", requestId);
    response.on("close", () => {
      const { statusCode: status, writableFinished: answered } = response;
      const path = pathOf(request);
      lines[levelOf(path, status, answered)](
        {
          requestId,
          method: request.method,
          path,
          route: routeOf(request, path),
          status,
          answered,
          client,
          ...logFieldsOf(request),
          ms: elapsed(request),
        },
        "request",
      );
    });
    next();
  };
}

function levelOf(path: string, status: number, answered: boolean): "debug" | "info" | "error" {
  // What is not ready is logged once, when it changes (server/http/readiness.ts): probes come every second.
  if (path === livePath || path === readyPath) return "debug";
  if (status >= 500) return "error";
  // An engine asks at each of its requests, and logs that request itself.
  return answered && status < 400 && path === webhookPath ? "debug" : "info";
}

/** The pattern of the route that answered; undefined where there is none. The webhook is answered past Express. */
function routeOf(request: IncomingMessage, path: string): string | undefined {
  const { route } = request as { route?: { path: string } };
  return route?.path ?? (path === webhookPath ? webhookPath : undefined);
}
