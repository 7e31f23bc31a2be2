import { expect, test } from "vitest";
import { UnavailableError } from "../../runtime/database_errors.ts";
import { failureFields } from "./envelope.ts";
import { toProblem } from "./failures.ts";
import { Problem } from "./problem.ts";

test("the log gets the cause of a 503", () => {
  const error = new UnavailableError("the fast pool is busy");
  expect(failureFields(toProblem(error))).toMatchObject({
    errorCode: "SERVICE_UNAVAILABLE",
    cause: "the fast pool is busy",
  });
});

test("the log gets the cause of no other problem, because it may quote the request", () => {
  const problem = new Problem(
    "INVALID_REQUEST",
    { reason: "malformed" },
    {},
    { cause: new Error("+12125550123") },
  );
  expect(failureFields(problem)).toEqual({ errorCode: "INVALID_REQUEST", reason: "malformed" });
});
