import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../../common/log.ts";
import { elapsed, pathOf, startTimer } from "./envelope.ts";
import { webhookPath } from "./webhook.ts";

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
    // Made when it is asked for: few requests have more to say than their own line.
    Object.defineProperty(request, "log", { get: () => log.child({ requestId }) });
    response.setHeader("X-Request-Id", requestId);
    response.on("close", () => {
      const { statusCode: status, writableFinished: answered } = response;
      // An engine asks at each of its requests, and logs that request itself.
      const level = answered && status < 400 && isWebhook(request) ? "debug" : "info";
      lines[level](
        { requestId, method: request.method, path: pathOf(request), status, answered, ms: elapsed(request) },
        "request",
      );
    });
    next();
  };
}

const isWebhook = (request: IncomingMessage): boolean => pathOf(request) === webhookPath;
