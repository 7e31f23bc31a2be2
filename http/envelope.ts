import type { IncomingMessage, ServerResponse } from "node:http";
import type { Problem } from "./problem.ts";
import { ClientBusyError } from "../runtime/database/errors.ts";
import { contextOf, type LogFields } from "./request_context.ts";
import { sendJson } from "./send_json.ts";

/** Characters of a cause in the log. */
const maxCauseLength = 200;

/** Sends the response of a success: data, where there is any, and meta. */
export function sendSuccess(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  message: string,
  data: object | undefined,
): void {
  const meta = { message, timestamp: new Date().toISOString(), duration: contextOf(request).elapsed };
  // Most answers contain tokens or personal data, and caching none of them would help.
  response.setHeader("Cache-Control", "no-store");
  sendJson(response, status, data === undefined ? { meta } : { data, meta });
}

/** Sends the response of an error. */
export function sendProblem(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
  contextOf(request).addLogFields(failureFields(problem));
  response.setHeader("Cache-Control", "no-store");
  response.setHeaders(new Map(Object.entries(problem.headers)));
  sendJson(response, problem.status, errorBody(problem, pathOf(request), request.method ?? ""));
}

/**
 * The log fields of a failure. Only the cause of one that the client may try again is logged: others may quote the
 * request.
 */
export function failureFields({ code, details, cause, headers }: Problem): LogFields {
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  return {
    errorCode: code,
    reason: text(details?.reason),
    policy: text(details?.policy) ?? (cause instanceof ClientBusyError ? cause.policy : undefined),
    cause: cause instanceof Error && "Retry-After" in headers ? cause.message.slice(0, maxCauseLength) : undefined,
  };
}

export function errorBody({ message, code, details }: Problem, path: string, method: string): object {
  return { error: { message, code, details }, meta: { timestamp: new Date().toISOString(), path, method } };
}

/** The path without its query, in which a client may have put a secret. */
export const pathOf = (request: IncomingMessage): string => (request.url ?? "").split("?", 1)[0] ?? "";
