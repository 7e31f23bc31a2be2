import { expect, test } from "vitest";
import { z } from "zod";
import { define } from "./api_definition.ts";

/** The compiler checks these: an expected error that does not come fails `npm run typecheck`. */
const fn = { args: { phone: "text" }, returns: z.object({}), errors: [], reasons: [] } as const;

test("a function that locks a row names the row and says whether it may be retried", () => {
  const once = define(fn, { pool: "password", lockKey: "phone", retry: "never" });
  expect(once).toMatchObject({ lockKey: "phone", retry: "never" });
  // @ts-expect-error It does not say whether it may be retried. A caller without types gets the safe answer.
  expect(define(fn, { pool: "fast", lockKey: "phone" }).retry).toBe("never");
  // @ts-expect-error It names no row.
  define(fn, { pool: "fast", retry: "never" });
  // @ts-expect-error No argument has this name.
  define(fn, { pool: "fast", lockKey: "telephone", retry: "never" });
});

test("a function that runs at most once cannot be batched: each call of a failed batch is retried", () => {
  // @ts-expect-error Batched, and never retried.
  define(fn, { pool: "batch", lockKey: "phone", retry: "never" });
  // @ts-expect-error The same for codes.
  define(fn, { pool: "otp_batch", lockKey: "phone", retry: "never" });
});
