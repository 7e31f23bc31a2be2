import { z } from "zod";
import { addFault, fault, missingOrWrong, text } from "./body_faults.ts";
import { captchaProof } from "./body_fields.ts";
import { describeNumber, normalizeEmail, normalizePhone } from "../../runtime/identifiers.ts";

const normalizers = new Map([
  ["EMAIL", normalizeEmail],
  ["PHONE", normalizePhone],
]);

/** PostgreSQL cannot store a NUL in text. */
const target = z.string(fault("INVALID_REQUEST")).refine((value) => !value.includes("\0"), fault("INVALID_REQUEST"));
/** SQL checks which origins and hashes the deployment allows. */
const autofill = z
  .looseObject(
    {
      origin: target.optional().meta({
        description: "The page's origin, one of the setting OTP_ORIGINS.",
        examples: ["https://app.example.com"],
      }),
      appHash: target.optional().meta({
        description: "The Android app's hash, one of OTP_APP_HASHES.",
        examples: ["FA+9qCX9VSu"],
      }),
    },
    fault("INVALID_REQUEST"),
  )
  .meta({ additionalProperties: false })
  .refine(({ origin, appHash }) => (origin === undefined) !== (appHash === undefined), fault("INVALID_REQUEST"))
  .nullish()
  .meta({
    description:
      "Lets the phone fill the code in: exactly one of origin and appHash, named in the SMS's last line. For PHONE only.",
    examples: [null],
  });

const channels = ["sms", "whatsapp", "voice"];

const purposes = ["LOGIN", "SIGNUP", "PASSWORD_RESET"];

/** A field that nobody here knows would change what is sent, or how: it is refused rather than ignored. */
function refuseUnknown(context: z.RefinementCtx, path: string[], known: string[], object: object): void {
  for (const name of Object.keys(object))
    if (!known.includes(name)) addFault(context, "INVALID_REQUEST", [...path, name]);
}

const fields = {
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
  channel: z
    .string(fault("INVALID_REQUEST"))
    .refine((value) => channels.includes(value), fault("INVALID_REQUEST"))
    .nullish()
    .meta({
      enum: [...channels, null],
      examples: [null],
      description:
        "How the message is to be sent, one of the setting OTP_CHANNELS that a provider of the phone has; left out or null: as the provider is set up. For PHONE only.",
    }),
  proof: captchaProof,
};

export const otpRequest = z
  .looseObject(fields, { error: missingOrWrong })
  .meta({ additionalProperties: false })
  .transform((request, context) => {
    const { identifier, identifierType, purpose, autofill, channel = null, proof } = request;
    refuseUnknown(context, [], Object.keys(fields), request);
    refuseUnknown(context, ["autofill"], ["origin", "appHash"], autofill ?? {});
    const normalize = normalizers.get(identifierType);
    const normalized = normalize?.(identifier);
    if (normalize === undefined) addFault(context, "INVALID_REQUEST", ["identifierType"]);
    else if (normalized === undefined) addFault(context, "INVALID_IDENTIFIER", ["identifier"]);
    if (!purposes.includes(purpose)) addFault(context, "INVALID_PURPOSE", ["purpose"]);
    return normalized === undefined
      ? z.NEVER
      : {
          identifier: normalized,
          identifier_type: identifierType,
          purpose,
          ...(identifierType === "PHONE" ? describeNumber(normalized) : { country: null, number_type: null }),
          autofill_origin: autofill?.origin ?? null,
          autofill_app_hash: autofill?.appHash ?? null,
          channel,
          proof,
        };
  });
