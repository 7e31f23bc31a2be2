import { z } from "zod";
import { addFault, fault, refuse, text } from "./body_faults.ts";
import { label, longestLabel, password, readCode } from "./body_fields.ts";
import { credential } from "./passkey_fields.ts";
import { readTypedCode } from "../../runtime/typed_text.ts";

/** The fields of request bodies about second factors. */

const readAs =
  (form: RegExp) =>
  (value: string, context: z.RefinementCtx): string => {
    const code = readTypedCode(value);
    return code !== undefined && form.test(code) ? code : refuse(context, "INVALID_OTP_FORMAT");
  };
const readAppCode = readAs(/^[0-9]{6}$/);
const readRecoveryCode = readAs(/^[0-9A-Za-z]{10}$/);
/** The code of an authenticator app. */
export const factorCode = text
  .meta({ description: "The six digits that an authenticator app shows, as typed.", examples: ["123456"] })
  .transform(readAppCode);
const code = text
  .nullish()
  .meta({ description: "The six digits that an authenticator app shows, as typed.", examples: ["123456"] })
  .transform((value, context) => (value == null ? null : readAppCode(value, context)));
const passkey = credential
  .nullish()
  .meta({ description: "A passkey's answer to the options of the challenge.", examples: [null] });

/** Adds a fault unless exactly one of these ways to answer was taken. */
function requireOne(ways: object, context: z.RefinementCtx): void {
  const count = Object.values(ways).filter((one) => one != null).length;
  if (count === 0) addFault(context, "MISSING_FIELDS", ["code"]);
  if (count > 1) addFault(context, "INVALID_REQUEST", ["code"]);
}

/** What proves again who a session's user is: exactly one of the four. */
export const proof = z
  .object({
    password: password
      .nullish()
      .meta({ description: "The account's password, or else otp, code or credential.", examples: [null] }),
    otp: text
      .nullish()
      .meta({ description: "A LOGIN code (POST /otp/send).", examples: [null] })
      .transform((value, context) => (value == null ? null : readCode(value, context))),
    code,
    challenge_id: z
      .uuid(fault("INVALID_REQUEST"))
      .nullish()
      .meta({ description: "Of POST /auth/session/step-up/options, beside credential.", examples: [null] }),
    credential: passkey,
  })
  .superRefine(({ challenge_id, ...proofs }, context) => {
    requireOne(proofs, context);
    if (proofs.credential != null && challenge_id == null) addFault(context, "MISSING_FIELDS", ["challenge_id"]);
  });
/** What answers a challenge: exactly one of the three. */
export const challengeAnswer = z
  .object({
    challenge_id: z.uuid(fault("INVALID_REQUEST")).meta({ description: "As the first step answered it." }),
    code,
    recovery_code: text
      .nullish()
      .meta({ description: "One of the recovery codes, as typed, in place of code.", examples: [null] })
      .transform((value, context) => (value == null ? null : readRecoveryCode(value, context))),
    credential: passkey,
  })
  .superRefine(({ challenge_id: _id, ...answers }, context) => requireOne(answers, context));
/** The challenge that a passkey is to answer. */
export const challenge = z.object({
  challenge_id: z.uuid(fault("INVALID_REQUEST")).meta({ description: "As the first step answered it." }),
});
export const factorId = z
  .uuid(fault("INVALID_REQUEST"))
  .meta({ description: "As POST /auth/factors/totp answered it." });
export const factorLabel = label.meta({
  description: `A name for the factor in GET /auth/factors, ${longestLabel} characters at most.`,
  examples: ["Ada's phone"],
});
