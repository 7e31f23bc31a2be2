import { z } from "zod";
import type { ErrorCode } from "../http/problem.ts";
import { countryOf, normalizeEmail, normalizePhone } from "./identifiers.ts";

/** The fields of request bodies. An issue's message is the error code of the answer. */
const fault = (code: ErrorCode) => ({ error: code });
const text = z
  .string({ error: missingOrWrong })
  .refine((value) => value.trim() !== "", { ...fault("MISSING_FIELDS"), abort: true });

// Described before the transformation: zod drops the examples of what a transformation results in.
export const phone = text
  .meta({
    description: "A phone number, written internationally with a leading +.",
    examples: ["+12125550123"],
  })
  .transform((value, context) => normalizePhone(value) ?? refuse(context, "INVALID_IDENTIFIER"));
export const email = z
  .string(fault("INVALID_REQUEST"))
  .nullish()
  .meta({
    description: "Kept with the account; neither verified nor a login name.",
    examples: ["ada@example.com"],
  })
  .transform((value, context) =>
    value?.trim() ? (normalizeEmail(value) ?? refuse(context, "INVALID_IDENTIFIER")) : null,
  );
/** As many digits as OTP_LENGTH may ask for; how many it does ask for, SQL checks. */
export const otp = text
  .refine((value) => /^[0-9]{4,10}$/.test(value), fault("INVALID_OTP_FORMAT"))
  .meta({
    description: "The code of the SMS: as many ASCII digits as the setting OTP_LENGTH says.",
    pattern: "^[0-9]{4,10}$",
    examples: ["123456"],
  });
export const userId = z.uuid(fault("INVALID_REQUEST")).nullish().meta({
  description:
    "Which registration to confirm: userId as POST /auth/register answered it. Left out: the latest.",
});
const longestLabel = 64;
/** Free text that the session's list shows: no control character, which a terminal would obey, and no lone surrogate. */
export const label = z
  .string(fault("INVALID_REQUEST"))
  .refine((value) => value.isWellFormed() && !/\p{Cc}/u.test(value), fault("INVALID_REQUEST"))
  .refine((value) => Array.from(value).length <= longestLabel, fault("INVALID_REQUEST"))
  .nullish()
  .meta({
    description: `A name for the session in GET /auth/sessions, ${longestLabel} characters at most.`,
    examples: ["Ada's phone"],
  })
  .transform((value) => value?.trim() || null);
/** A lone surrogate has no UTF-8: two such passwords would be one. */
export const password = text
  .refine((value) => value.isWellFormed(), fault("INVALID_REQUEST"))
  .meta({ format: "password", examples: ["correct horse battery"] });
export const currentPassword = password.nullish().meta({
  description: "Left out only to set the first password of an account, within ten minutes of signing in.",
  examples: ["correct horse battery"],
});
/** What proves that the holder of a session is the account's owner: exactly one of the two. */
export const passwordOrCode = z
  .object({
    password: password.nullish(),
    otp: otp.nullish().meta({ description: "A LOGIN code, in place of the password.", examples: [null] }),
  })
  .superRefine(({ password, otp }, context) => {
    if (password == null && otp == null) addFault(context, "MISSING_FIELDS", ["password"]);
    if (password != null && otp != null) addFault(context, "INVALID_REQUEST", ["password"]);
  });
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

/** PostgreSQL has no text with a NUL. */
const target = z
  .string(fault("INVALID_REQUEST"))
  .refine((value) => !value.includes("\0"), fault("INVALID_REQUEST"));
/** Which of them a deployment allows, SQL checks. */
const autofill = z
  .object(
    {
      origin: target.optional().meta({
        description: "The page's origin, one of the setting OTP_ORIGINS.",
        examples: ["https://app.example.com"],
      }),
      appHash: target.optional().meta({ description: "The Android app's hash, one of OTP_APP_HASHES." }),
    },
    fault("INVALID_REQUEST"),
  )
  .refine(
    ({ origin, appHash }) => (origin === undefined) !== (appHash === undefined),
    fault("INVALID_REQUEST"),
  )
  .nullish()
  .meta({
    description:
      "Lets the phone fill the code in: exactly one of origin and appHash, named in the SMS's last line. For PHONE only.",
    examples: [null],
  });

const purposes = ["LOGIN", "SIGNUP", "PASSWORD_RESET"];

export const otpRequest = z
  .object(
    {
      identifier: text.meta({
        description: "The phone number or email address.",
        examples: ["+12125550123"],
      }),
      identifierType: text.meta({
        enum: [...normalizers.keys()],
        examples: ["PHONE"],
        description: "A code for an EMAIL is sent only while the setting EMAIL_DELIVERY is on.",
      }),
      purpose: text.meta({ enum: purposes, examples: ["SIGNUP"], description: "What the code is good for." }),
      autofill,
    },
    { error: missingOrWrong },
  )
  .transform(({ identifier, identifierType, purpose, autofill }, context) => {
    const normalize = normalizers.get(identifierType);
    const normalized = normalize?.(identifier);
    if (normalize === undefined) addFault(context, "INVALID_REQUEST", ["identifierType"]);
    else if (normalized === undefined) addFault(context, "INVALID_IDENTIFIER", ["identifier"]);
    if (!purposes.includes(purpose)) addFault(context, "INVALID_PURPOSE", ["purpose"]);
    return normalized === undefined
      ? z.NEVER
      : {
          ...{ identifier: normalized, identifier_type: identifierType, purpose },
          country: identifierType === "PHONE" ? countryOf(normalized) : null,
          autofill_origin: autofill?.origin ?? null,
          autofill_app_hash: autofill?.appHash ?? null,
        };
  });

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
