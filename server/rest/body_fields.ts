import { z } from "zod";
import { addFault, fault, refuse, text } from "./body_faults.ts";
import { isValidPhone, normalizeEmail, normalizePhone } from "../../runtime/identifiers.ts";
import { readTypedCode } from "../../runtime/typed_text.ts";

/** The fields of request bodies. */

// Described before the transformation: zod drops the examples of what a transformation results in.
export const phone = text
  .meta({
    description: "A phone number, written internationally with a leading +.",
    examples: ["+12125550123"],
  })
  .transform((value, context) => normalizePhone(value) ?? refuse(context, "INVALID_IDENTIFIER"));
/**
 * A phone that is to become an account's. That of an account, which may no longer be valid by today's plans, is never
 * refused.
 */
export const newPhone = phone.transform((value, context) =>
  isValidPhone(value) ? value : refuse(context, "INVALID_IDENTIFIER"),
);
/** Null: absent or blank. Undefined: refused. */
export const optionalName = (
  normalize: (text: string) => string | undefined,
  meta: { description: string; examples: (string | null)[] },
) =>
  z
    .string(fault("INVALID_REQUEST"))
    .nullish()
    .meta(meta)
    .transform((value, context) =>
      value?.trim() ? (normalize(value) ?? refuse(context, "INVALID_IDENTIFIER")) : null,
    );
export const newEmail = text
  .meta({ description: "The email address that the account is to have.", examples: ["ada@example.com"] })
  .transform((value, context) => normalizeEmail(value) ?? refuse(context, "INVALID_IDENTIFIER"));
export const email = optionalName(normalizeEmail, {
  description: "Kept with the account; neither verified nor a login name.",
  examples: ["ada@example.com"],
});
/** Accepts every length that OTP_LENGTH may have. SQL checks the length that it does have. */
export function readCode(value: string, context: z.RefinementCtx): string {
  const code = readTypedCode(value);
  return code !== undefined && /^[0-9]{4,10}$/.test(code) ? code : refuse(context, "INVALID_OTP_FORMAT");
}
export const otp = text
  .meta({
    description:
      "The code of the SMS, as typed: as many digits as the setting OTP_LENGTH says. White space, hyphens and invisible characters are " +
      "dropped, and digits may be of any script.",
    examples: ["123456"],
  })
  .transform(readCode);
export const userId = z
  .uuid(fault("INVALID_REQUEST"))
  .nullish()
  .meta({
    description:
      "Which registration to confirm: userId as POST /auth/register answered it. Left out: the latest, if all that wait for this phone " +
      "have the same password; otherwise the account gets a new id, and no password or email.",
  });
export const longestLabel = 64;
/**
 * Text shown in the list of sessions. Control characters are refused, because a terminal would execute them; so are
 * lone surrogates.
 */
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
/** More than any captcha's token has, and less than a body may. */
const longestProof = 8192;
export const captchaProof = z
  .string(fault("INVALID_REQUEST"))
  .max(longestProof, fault("INVALID_REQUEST"))
  .nullish()
  .meta({
    description:
      "The token of the captcha that SEND_PROOF_PROVIDER names, which counts once. Needed where the response without it is 403 proof_required.",
    examples: [null],
  })
  .transform((value) => value?.trim() || null);
/** A lone surrogate cannot be encoded in UTF-8: two such passwords would be equal. */
export const password = text
  .refine((value) => value.isWellFormed(), fault("INVALID_REQUEST"))
  .meta({
    description: "The account's password.",
    format: "password",
    examples: ["correct horse battery"],
  });
export const newPassword = password.meta({ description: "The password that the account is to have." });
export const currentPassword = password.nullish().meta({
  description: "Left out only to set the first password of an account, within ten minutes of signing in.",
  examples: ["correct horse battery"],
});
export const passwordUnlessByEmail = password.nullish().meta({
  description:
    "The account's password. While PHONE_RECOVERY_BY_EMAIL is on, a session that a code by email opened within ten minutes may leave it " +
    "out; the phone then changes after RECOVERY_DELAY_SECONDS.",
  examples: ["correct horse battery"],
});
export const passwordUnlessRecent = password.nullish().meta({
  description: "The account's password. It may be left out within ten minutes of signing in.",
});
/** The proof that the holder of a session is the account's owner: exactly one of the two. */
export const passwordOrCode = z
  .object({
    password: password.nullish().meta({ description: "The account's password, or else a code in otp." }),
    otp: text
      .nullish()
      .meta({ description: "A LOGIN code, in place of the password.", examples: [null] })
      .transform((value, context) => (value == null ? null : readCode(value, context))),
  })
  .superRefine(({ password, otp }, context) => {
    if (password == null && otp == null) addFault(context, "MISSING_FIELDS", ["password"]);
    if (password != null && otp != null) addFault(context, "INVALID_REQUEST", ["password"]);
  });
/** Header and payload that a reader can decode; unlike an access token's, the header has typ JWT. */
export const exampleRefreshToken = "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl";
export const refreshTokenBody = z.object({
  refresh_token: text.meta({
    description: "The same refresh token as in the Authorization header.",
    examples: [exampleRefreshToken],
  }),
});
