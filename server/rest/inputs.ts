import { z } from "zod";
import type { Arguments } from "../database/database.ts";
import { catalog, Problem, type ErrorCode } from "../http/problem.ts";
import { normalizeEmail, normalizePhone } from "./identifiers.ts";
import { describeNewPassword, prehash } from "./passwords.ts";

/** Turns a request's body into arguments of a SQL function, or throws the Problem that the contract asks for. */
export type Input = (body: unknown, passwordKey: Buffer) => Arguments;

// In these schemas an issue's message is the code of the answer.
const fault = (code: ErrorCode) => ({ error: code });
/** Of several faults the first of these is answered; the order is the contract's (section 6). */
const precedence: ErrorCode[] = [
  ...(["MISSING_FIELDS", "INVALID_REQUEST"] as const),
  ...(["INVALID_IDENTIFIER", "INVALID_PURPOSE", "INVALID_OTP_FORMAT"] as const),
];

const text = z
  .string({
    error: (issue) =>
      issue.input === undefined || issue.input === null ? "MISSING_FIELDS" : "INVALID_REQUEST",
  })
  .refine((value) => value.trim() !== "", { ...fault("MISSING_FIELDS"), abort: true });

const phone = text.transform(
  (value, context) => normalizePhone(value) ?? refuse(context, "INVALID_IDENTIFIER"),
);
const email = z
  .string(fault("INVALID_REQUEST"))
  .nullish()
  .transform((value, context) =>
    value?.trim() ? (normalizeEmail(value) ?? refuse(context, "INVALID_IDENTIFIER")) : null,
  );
/** ASCII digits, as many as the setting OTP_LENGTH may ask for; how many it does ask for, SQL checks. */
const otp = text.refine((value) => /^[0-9]{4,10}$/.test(value), fault("INVALID_OTP_FORMAT"));
/** Which registration is confirmed: as POST /auth/register answered it. */
const userId = z.uuid(fault("INVALID_REQUEST")).nullish();
/** A lone surrogate has no UTF-8: two such passwords would be one. */
const password = text.refine((value) => value.isWellFormed(), fault("INVALID_REQUEST"));

const normalizers = new Map([
  ["EMAIL", normalizeEmail],
  ["PHONE", normalizePhone],
]);

const purposes = new Set(["LOGIN", "SIGNUP", "PASSWORD_RESET"]);

const otpRequest = z
  .object({ identifier: text, identifierType: text, purpose: text }, { error: missingOrWrong })
  .transform(({ identifier, identifierType, purpose }, context) => {
    const normalize = normalizers.get(identifierType);
    const normalized = normalize?.(identifier);
    if (normalize === undefined) addFault(context, "INVALID_REQUEST", ["identifierType"]);
    else if (normalized === undefined) addFault(context, "INVALID_IDENTIFIER", ["identifier"]);
    if (!purposes.has(purpose)) addFault(context, "INVALID_PURPOSE", ["purpose"]);
    return { identifier: normalized, identifier_type: identifierType, purpose };
  });

export const inputs = {
  nothing: () => ({}),
  refreshToken: input(z.object({ refresh_token: text }), () => ({})),
  otpRequest: input(z.object({ input: otpRequest }), ({ input }) => input),
  registration: input(z.object({ phone, password, email }), ({ phone, password, email }, key) => ({
    phone,
    email,
    ...describeNewPassword(key, password),
  })),
  registrationCode: input(z.object({ phone, otp, userId }), ({ phone, otp, userId }) => ({
    phone,
    otp,
    user_id: userId ?? null,
  })),
  credentials: input(z.object({ phone, password }), ({ phone, password }, key) => ({
    phone,
    password_prehash: prehash(key, password),
  })),
  phone: input(z.object({ phone }), (given) => given),
  newPassword: input(z.object({ phone, otp, newPassword: password }), ({ phone, otp, newPassword }, key) => ({
    phone,
    otp,
    ...describeNewPassword(key, newPassword),
  })),
} satisfies Record<string, Input>;

function input<T>(schema: z.ZodType<T>, toArguments: (given: T, passwordKey: Buffer) => Arguments): Input {
  return (body, passwordKey) => {
    // No body at all lacks every field; a body that is no object is of the wrong type.
    const parsed = schema.safeParse(body ?? {}, { reportInput: false });
    if (parsed.success) return toArguments(parsed.data, passwordKey);
    throw problemOf(parsed.error.issues);
  };
}

function problemOf(issues: z.core.$ZodIssue[]): Problem {
  const ranked = issues.map((issue) => {
    const code = issue.message in catalog ? (issue.message as ErrorCode) : "INVALID_REQUEST";
    return {
      code,
      field: issue.path.join("."),
      reason: issue.code === "invalid_type" ? "wrong_type" : "invalid",
    };
  });
  const code =
    precedence.find((candidate) => ranked.some((issue) => issue.code === candidate)) ?? "INVALID_REQUEST";
  const matching = ranked.filter((issue) => issue.code === code);
  if (code === "MISSING_FIELDS") return new Problem(code, { fields: matching.map(({ field }) => field) });
  const { field = "", reason } = matching[0] ?? {};
  if (field === "") return new Problem(code, { reason: "not_an_object" });
  return new Problem(code, code === "INVALID_REQUEST" ? { field, reason } : { field });
}

function missingOrWrong(issue: { input?: unknown }): ErrorCode {
  return issue.input === undefined || issue.input === null ? "MISSING_FIELDS" : "INVALID_REQUEST";
}

function addFault(context: z.RefinementCtx, code: ErrorCode, path: string[] = []): void {
  context.addIssue({ code: "custom", message: code, path });
}

/** For a transformation that has no result. */
function refuse(context: z.RefinementCtx, code: ErrorCode): never {
  addFault(context, code);
  return z.NEVER;
}
