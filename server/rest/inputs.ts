import { z } from "zod";
import { catalog, Problem, type ErrorCode } from "../http/problem.ts";
import { normalizeEmail, normalizePhone } from "./identifiers.ts";
import { describeNewPassword, prehash } from "./passwords.ts";

/** How a route reads its body. */
export interface Input<Args extends object> {
  /** For the OpenAPI document; undefined: the route has no body, and none is read. */
  body: z.ZodType | undefined;
  errors: readonly ErrorCode[];
  /**
   * Turns a body into arguments of the route's SQL function.
   * @throws Problem with the code that the contract asks for (section 6)
   */
  parse: (body: unknown, passwordKey: Buffer) => Args;
}

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

const phone = text
  .transform((value, context) => normalizePhone(value) ?? refuse(context, "INVALID_IDENTIFIER"))
  .meta({
    description: "A phone number, written internationally with a leading +.",
    examples: ["+12125550123"],
  });
const email = z
  .string(fault("INVALID_REQUEST"))
  .nullish()
  .transform((value, context) =>
    value?.trim() ? (normalizeEmail(value) ?? refuse(context, "INVALID_IDENTIFIER")) : null,
  )
  .meta({
    description: "Kept with the account; neither verified nor a login name.",
    examples: ["ada@example.com"],
  });
/** As many digits as OTP_LENGTH may ask for; how many it does ask for, SQL checks. */
const otp = text
  .refine((value) => /^[0-9]{4,10}$/.test(value), fault("INVALID_OTP_FORMAT"))
  .meta({
    description: "The code of the SMS: as many ASCII digits as the setting OTP_LENGTH says.",
    pattern: "^[0-9]{4,10}$",
    examples: ["123456"],
  });
const userId = z.uuid(fault("INVALID_REQUEST")).nullish().meta({
  description:
    "Which registration to confirm: userId as POST /auth/register answered it. Left out: the latest.",
});
/** A lone surrogate has no UTF-8: two such passwords would be one. */
const password = text
  .refine((value) => value.isWellFormed(), fault("INVALID_REQUEST"))
  .meta({ format: "password", examples: ["correct horse battery"] });
export const refreshTokenBody = z.object({
  refresh_token: text.meta({
    description: "The same refresh token as in the Authorization header.",
    examples: ["eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl"],
  }),
});

const normalizers = new Map([
  ["EMAIL", normalizeEmail],
  ["PHONE", normalizePhone],
]);

const purposes = ["LOGIN", "SIGNUP", "PASSWORD_RESET"];

const otpRequest = z
  .object(
    {
      identifier: text.meta({
        description: "The phone number or email address.",
        examples: ["+12125550123"],
      }),
      identifierType: text.meta({
        enum: [...normalizers.keys()],
        examples: ["PHONE"],
        description: "A code for an EMAIL is stored, and sent by nobody.",
      }),
      purpose: text.meta({ enum: purposes, examples: ["SIGNUP"], description: "What the code is good for." }),
    },
    { error: missingOrWrong },
  )
  .transform(({ identifier, identifierType, purpose }, context) => {
    const normalize = normalizers.get(identifierType);
    const normalized = normalize?.(identifier);
    if (normalize === undefined) addFault(context, "INVALID_REQUEST", ["identifierType"]);
    else if (normalized === undefined) addFault(context, "INVALID_IDENTIFIER", ["identifier"]);
    if (!purposes.includes(purpose)) addFault(context, "INVALID_PURPOSE", ["purpose"]);
    return normalized === undefined
      ? z.NEVER
      : { identifier: normalized, identifier_type: identifierType, purpose };
  });

const noBody: Input<object> = { body: undefined, errors: [], parse: () => ({}) };

export const inputs = {
  nothing: noBody,
  /** Compared with the token of the header, which alone counts. */
  refreshToken: input(refreshTokenBody, () => ({})),
  otpRequest: input(z.object({ input: otpRequest }), ({ input }) => input, [
    "INVALID_IDENTIFIER",
    "INVALID_PURPOSE",
  ]),
  registration: input(
    z.object({ phone, password, email }),
    ({ phone, password, email }, key) => ({
      phone,
      email,
      ...describeNewPassword(key, password),
    }),
    ["INVALID_IDENTIFIER"],
  ),
  registrationCode: input(
    z.object({ phone, otp, userId }),
    ({ phone, otp, userId = null }) => ({
      phone,
      otp,
      user_id: userId,
    }),
    ["INVALID_IDENTIFIER", "INVALID_OTP_FORMAT"],
  ),
  credentials: input(
    z.object({ phone, password }),
    ({ phone, password }, key) => ({
      phone,
      password_prehash: prehash(key, password),
    }),
    ["INVALID_IDENTIFIER"],
  ),
  phone: input(z.object({ phone }), (body) => body, ["INVALID_IDENTIFIER"]),
  newPassword: input(
    z.object({ phone, otp, newPassword: password }),
    ({ phone, otp, newPassword }, key) => ({
      phone,
      otp,
      ...describeNewPassword(key, newPassword),
    }),
    ["INVALID_IDENTIFIER", "INVALID_OTP_FORMAT"],
  ),
};

function input<Body, Args extends object>(
  schema: z.ZodType<Body>,
  toArguments: (body: Body, passwordKey: Buffer) => Args,
  errors: readonly ErrorCode[] = [],
): Input<Args> {
  return {
    body: schema,
    errors: ["MISSING_FIELDS", "INVALID_REQUEST", ...errors],
    parse: (body, passwordKey) => toArguments(parseBody(schema, body), passwordKey),
  };
}

/** @throws Problem with the code that the contract asks for */
export function parseBody<Body>(schema: z.ZodType<Body>, body: unknown): Body {
  // No body at all lacks every field; a body that is no object is of the wrong type.
  const parsed = schema.safeParse(body ?? {}, { reportInput: false });
  if (parsed.success) return parsed.data;
  throw problemOf(parsed.error.issues);
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
