import type { Request, Response } from "express";
import type { Problem } from "./errors.ts";

const started = Symbol("when the request came in");
type Timed = Request & { [started]?: number };

export function startTimer(request: Request): void {
  (request as Timed)[started] = performance.now();
}

/** Milliseconds since the request came in. */
export function elapsed(request: Request): number {
  return Math.round((performance.now() - ((request as Timed)[started] ?? performance.now())) * 100) / 100;
}

/** The specified success answer: data, where there is any, and meta. */
export function sendSuccess(
  request: Request,
  response: Response,
  status: number,
  message: string,
  data: object | undefined,
): void {
  const meta = { message, timestamp: new Date().toISOString(), duration: elapsed(request) };
  // Most answers carry tokens or are about a person; none gains by being kept.
  response
    .status(status)
    .set("Cache-Control", "no-store")
    .json(data === undefined ? { meta } : { data, meta });
}

/** The specified error answer, for whatever went wrong. */
export function sendProblem(request: Request, response: Response, problem: Problem): void {
  response
    .status(problem.status)
    .set("Cache-Control", "no-store")
    .set(problem.headers)
    .json(errorBody(problem, pathOf(request), request.method));
}

export function errorBody({ message, code, details }: Problem, path: string, method: string): object {
  return { error: { message, code, details }, meta: { timestamp: new Date().toISOString(), path, method } };
}

/** Without the query: it may hold what its sender should not have put there. */
export const pathOf = (request: Request): string => request.originalUrl.split("?", 1)[0] ?? "";
