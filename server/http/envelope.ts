import type { IncomingMessage, ServerResponse } from "node:http";
import type { Problem } from "./problem.ts";
import { addLogFields } from "./log_fields.ts";
import { sendJson } from "./send_json.ts";

const started = Symbol("when the request came in");
type Timed = IncomingMessage & { [started]?: number };

export function startTimer(request: IncomingMessage): void {
  (request as Timed)[started] = performance.now();
}

/** Milliseconds since the request came in. */
export function elapsed(request: IncomingMessage): number {
  return Math.round((performance.now() - ((request as Timed)[started] ?? performance.now())) * 100) / 100;
}

/** The specified success answer: data, where there is any, and meta. */
export function sendSuccess(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  message: string,
  data: object | undefined,
): void {
  const meta = { message, timestamp: new Date().toISOString(), duration: elapsed(request) };
  // Most answers carry tokens or are about a person; none gains by being kept.
  response.setHeader("Cache-Control", "no-store");
  sendJson(response, status, data === undefined ? { meta } : { data, meta });
}

/** The specified error answer, for whatever went wrong. */
export function sendProblem(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
  addLogFields(request, { errorCode: problem.code });
  response.setHeader("Cache-Control", "no-store");
  response.setHeaders(new Map(Object.entries(problem.headers)));
  sendJson(response, problem.status, errorBody(problem, pathOf(request), request.method ?? ""));
}

export function errorBody({ message, code, details }: Problem, path: string, method: string): object {
  return { error: { message, code, details }, meta: { timestamp: new Date().toISOString(), path, method } };
}

/** Without the query: it may hold what its sender should not have put there. */
export const pathOf = (request: IncomingMessage): string => (request.url ?? "").split("?", 1)[0] ?? "";
