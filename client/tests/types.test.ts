import { expect, test } from "vitest";
import type { GraphqlErrorEntry, ServiceError } from "../src/index.ts";
import type { Merged } from "../src/merged.ts";

/** The compiler checks these: an expected error that does not come fails `npm run typecheck`. */
type SessionReason = ServiceError<"SESSION_NOT_FOUND">["details"]["reason"];
type RequestReason = ServiceError<"INVALID_REQUEST">["details"]["reason"];

test("an entry of GraphQL's errors needs no member that only some have", () => {
  const entry: GraphqlErrorEntry = { message: "m", extensions: { code: "access-denied", path: "$" } };
  // @ts-expect-error: every entry has a code
  const withoutCode: GraphqlErrorEntry = { message: "m", extensions: { path: "$" } };
  expect([entry, withoutCode]).toHaveLength(2);
});

test("the reasons of a code are its own, and any other text", () => {
  const own: Extract<SessionReason, "token_expired"> = "token_expired";
  // @ts-expect-error: only INVALID_REQUEST has it
  const foreign: Extract<SessionReason, "login_refused"> = "login_refused";
  const ofItsCode: Extract<RequestReason, "login_refused"> = "login_refused";
  const added: SessionReason = "a reason of a newer version";
  expect([own, foreign, ofItsCode, added]).toHaveLength(4);
});

test("merging keeps null, and the members that every object has stay required", () => {
  const absent: Merged<{ field: string } | { field: string; minimum: number } | null> = null;
  const present: Merged<{ field: string } | { field: string; minimum: number } | null> = { field: "phone" };
  // @ts-expect-error: field is missing
  const withoutField: Merged<{ field: string } | null> = {};
  const none: Merged<null> = null;
  // @ts-expect-error: there is no object
  const some: Merged<null> = {};
  expect([absent, present, withoutField, none, some]).toHaveLength(5);
});
