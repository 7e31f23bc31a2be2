import { expect, test } from "vitest";
import { UnavailableError } from "../runtime/database/errors.ts";
import { failureFields } from "./envelope.ts";
import { toProblem } from "./failures.ts";
import { Problem } from "./problem.ts";

test.each([
  [400, "INVALID_REQUEST", 400, {}],
  [406, "INVALID_REQUEST", 406, {}],
  [413, "INVALID_REQUEST", 413, {}],
  [415, "INVALID_REQUEST", 415, {}],
  [422, "INVALID_REQUEST", 400, {}],
  [429, "RATE_LIMIT_EXCEEDED", 429, { "Retry-After": "2" }],
  [500, "INTERNAL_ERROR", 500, {}],
  [503, "INTERNAL_ERROR", 500, {}],
])("an error of status %i becomes %s", (own, code, status, headers) => {
  expect(toProblem(Object.assign(new Error("own text"), { status: own }))).toMatchObject({
    code,
    status,
    headers,
    message: expect.not.stringContaining("own text") as string,
  });
});

test("the log gets the cause of a 503", () => {
  const error = new UnavailableError("the fast pool is busy");
  expect(failureFields(toProblem(error))).toMatchObject({
    errorCode: "SERVICE_UNAVAILABLE",
    cause: "the fast pool is busy",
  });
});

test("the log gets the cause of no other problem, because it may quote the request", () => {
  const problem = new Problem("INVALID_REQUEST", { reason: "malformed" }, {}, { cause: new Error("+12125550123") });
  expect(failureFields(problem)).toEqual({ errorCode: "INVALID_REQUEST", reason: "malformed" });
});
