import type { Metrics } from "../runtime/metrics.ts";
import type { ObserveRequest } from "./request_log.ts";

/** Methods that a client can make up would be series of their own. */
const methods = new Set(["GET", "HEAD", "POST", "DELETE", "OPTIONS"]);

/** From a token that is verified to a bcrypt hash that waits behind others, and an SMS that is awaited. */
const seconds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Returns the observer of a program's requests. */
export function observeRequests(metrics: Metrics): ObserveRequest {
  const count = metrics.counter({
    name: "latchkey_http_requests_total",
    help: "Requests by route, status (499: the client closed the connection first) and error code (none: a success).",
    labels: ["method", "route", "status", "code"],
  });
  const time = metrics.histogram({
    name: "latchkey_http_request_duration_seconds",
    help: "Time until the response was sent, by route.",
    labels: ["method", "route"],
    buckets: seconds,
  });
  const limit = metrics.counter({
    name: "latchkey_limits_hit_total",
    help: "Requests that a limit refused, by the limit's name: rate limits, fraud rules, bounds of the programs.",
    labels: ["limit"],
  });
  return ({ method, route = "none", status, answered, ms, fields }) => {
    const known = methods.has(method) ? method : "other";
    count([known, route, answered ? String(status) : "499", fields.errorCode ?? "none"]);
    time([known, route], ms / 1_000);
    if (fields.policy !== undefined) limit([fields.policy]);
  };
}
