import type { ErrorRequestHandler } from "express";
import { Unavailable } from "../../runtime/database_errors.ts";
import { sendProblem } from "./envelope.ts";
import { Problem } from "./problem.ts";

/** The last handler: turns whatever was thrown into an answer of the catalog. What is not in it says nothing of its cause. */
export function answerErrors(): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const problem = asProblem(error);
    if (problem.status >= 500 && !(error instanceof Problem))
      request.log.error({ err: error }, problem.message);
    sendProblem(request, response, problem);
  };
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Unavailable) return new Problem("SERVICE_UNAVAILABLE");
  const { status } = error as { status?: unknown };
  // Express and body-parser mark the client's faults with a status: a malformed path, JSON, length or encoding.
  if (status === 413) return new Problem("INVALID_REQUEST", { reason: "too_large" });
  if (status === 415) return new Problem("INVALID_REQUEST", { reason: "unsupported_media_type" });
  if (typeof status === "number" && status >= 400 && status < 500)
    return new Problem("INVALID_REQUEST", { reason: "malformed" });
  return new Problem("INTERNAL_ERROR");
}
