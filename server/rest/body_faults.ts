import { z } from "zod";
import type { ErrorCode } from "../../http/problem.ts";

/** The faults of fields of a request body. An issue's message is the error code of the answer. */
export const fault = (code: ErrorCode) => ({ error: code });

export function addFault(context: z.RefinementCtx, code: ErrorCode, path: string[] = []): void {
  context.addIssue({ code: "custom", message: code, path });
}

/** Reports that a transformation has no result. */
export function refuse(context: z.RefinementCtx, code: ErrorCode): never {
  addFault(context, code);
  return z.NEVER;
}

export function missingOrWrong(issue: { input?: unknown }): ErrorCode {
  return issue.input === undefined || issue.input === null ? "MISSING_FIELDS" : "INVALID_REQUEST";
}

/** A text that must not be blank. */
export const text = z
  .string({ error: missingOrWrong })
  .refine((value) => value.trim() !== "", { ...fault("MISSING_FIELDS"), abort: true });
