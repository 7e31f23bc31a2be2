import type { Request } from "express";
import pg from "pg";
import { GraphQLError } from "postgraphile/graphql";
import { expect, test } from "vitest";
import { UnavailableError } from "../../runtime/database/errors.ts";
import type { Log } from "../../runtime/log.ts";
import { openContext } from "../../http/request_context.ts";
import { tooManyRequests } from "../refusal.ts";
import { toErrorResponse } from "./http_errors.ts";

/** The response to the error, the cause in the request's log line, and the errors that are logged. */
function respond(error: unknown): object {
  const logged: unknown[] = [];
  const log = { child: () => ({ error: (fields: unknown) => logged.push(fields) }) } as unknown as Log;
  const request = { headers: {}, ip: "192.0.2.1" } as Request;
  const context = openContext(request, log);
  const { headers, ...response } = toErrorResponse(error, request);
  return { ...response, retryAfter: headers["Retry-After"], cause: context.logFields.cause, logged };
}

const wrapped = (originalError: Error) => new GraphQLError("wrapped", { originalError });
const deadlock = Object.assign(new pg.DatabaseError("deadlock detected", 0, "error"), { code: "40P01" });
const queueIsFull = new UnavailableError("the queue is full");

test.for([
  ["a queue that is full", queueIsFull, 503, "the queue is full"],
  ["a queue that is full, wrapped by GraphQL", wrapped(queueIsFull), 503, "the queue is full"],
  ["a deadlock, wrapped by GraphQL", wrapped(deadlock), 503, "deadlock detected"],
  ["a lost connection", new Error("Connection terminated unexpectedly"), 503, "Connection terminated unexpectedly"],
  ["a payer with too many requests", tooManyRequests, 429, tooManyRequests.message],
  ["a payer with too many requests, wrapped", wrapped(tooManyRequests), 429, tooManyRequests.message],
] as const)("%s may be tried again, and the log has the cause", ([, error, status, cause]) => {
  expect(respond(error)).toMatchObject({ status, retryAfter: "2", cause, logged: [] });
});

test.for([
  ["its status", Object.assign(new Error("aborted"), { status: 400, code: "ECONNRESET" }), 400],
  ["no rule", new TypeError("x is not a function"), 500],
  ["a number as its code", new DOMException("too slow", "TimeoutError"), 500],
  ["a status that only our own errors may have", Object.assign(new Error("busy"), { status: 503 }), 500],
] as const)("an error with %s has no cause in the log line", ([, error, status]) => {
  const logged = status === 500 ? [{ err: error }] : [];
  expect(respond(error)).toMatchObject({ status, cause: undefined, logged });
});
