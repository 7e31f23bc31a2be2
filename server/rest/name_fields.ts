import { z } from "zod";
import { optionalName } from "./body_fields.ts";
import { fault, refuse, text } from "./body_faults.ts";
import { normalizeEmail, normalizePhone } from "../../runtime/identifiers.ts";

// What people sign in by: a phone, or a verified email in its place.

const phone = text
  .nullish()
  .meta({
    description: "A phone number, written internationally with a leading +.",
    examples: ["+12125550123"],
  })
  .transform((value, context) =>
    value == null ? null : (normalizePhone(value) ?? refuse(context, "INVALID_IDENTIFIER")),
  );
const email = optionalName(normalizeEmail, {
  description: "A verified email in place of the phone, while the setting EMAIL_SIGN_IN is on.",
  examples: [null],
});
const loginEmail = optionalName(normalizeEmail, {
  description:
    "Beside a phone: kept with an account that this opens, not verified; an account that exists keeps its own. Without a phone: a verified " +
    "email that signs in, while the setting EMAIL_SIGN_IN is on.",
  examples: ["ada@example.com"],
});

/** A body with a phone or an email, and these fields. Its input needs requireName. */
export const withName = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ phone, email, ...shape }).refine((body) => isLacking(body, "phone") || isLacking(body, "email"), {
    ...fault("INVALID_REQUEST"),
    path: ["email"],
  });

/** As withName, but a phone and an email together open an account. */
export const withLoginName = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ phone, email: loginEmail, ...shape });

/**
 * Makes the phone required where there is no email. Not a check of the schema: that would not run beside faults of other
 * fields, and a missing phone would not be listed with these.
 */
export function requireName(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body ?? { phone: "" };
  if (!isLacking(body, "phone")) return body;
  return { ...body, phone: isLacking(body, "email") ? "" : null };
}

/** Whether a field is absent or blank. */
function isLacking(body: object, field: string): boolean {
  const value: unknown = Object.entries(body).find(([name]) => name === field)?.[1];
  return value == null || (typeof value === "string" && value.trim() === "");
}
