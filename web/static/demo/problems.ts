import type { LatchkeyError, PasskeyFailure } from "@latchkey/client";
import type { Source } from "./fields.ts";

/** Every error that a form may have. */
export type DemoError = LatchkeyError | PasskeyFailure;

/**
 * Explains an error and what to do about it, for people.
 * @param source where the code of the form comes from
 */
export function sentenceOf(error: DemoError, source: Source = "SMS"): string {
  switch (error.code) {
    case "INVALID_REQUEST":
      return byReason[error.details.reason] ?? error.message;
    case "MISSING_FIELDS":
      return "Fill in every field.";
    case "INVALID_IDENTIFIER":
      if (source === "email" || error.details.field === "newEmail")
        return "Write the email address in full, such as ada@example.com.";
      return "Write the phone number with its country code, such as +1 212 555 0123.";
    case "INVALID_OTP_FORMAT":
      return source === "app" || source === "list"
        ? "The code of an app has six digits."
        : `The code has only digits, as many as the ${source} says.`;
    case "INVALID_OTP":
      return wrongCode[source];
    case "OTP_EXPIRED":
    case "OTP_ALREADY_USED":
      return "This code is no longer valid. Send a new one.";
    case "MAX_ATTEMPTS_REACHED":
      if (source !== "SMS" && source !== "email")
        return "Too many wrong answers. Try again in a while, from the start.";
      return "Too many wrong codes. Send a new one. If it is refused in the same way, try again tomorrow.";
    case "OTP_SEND_FAILED":
      return `The ${source === "email" ? "email" : "SMS"} could not be sent. Try again.`;
    case "RATE_LIMIT_EXCEEDED":
      return "Too many attempts.";
    case "PASSKEY_FAILURE":
      return byFailure[error.reason];
    case "NETWORK_FAILURE":
      return "The service does not answer. Check the network, then try again.";
    default:
      return error.message;
  }
}

const wrongCode: Record<Source, string> = {
  SMS: "This is not the code. Look at the newest SMS.",
  email: "This is not the code. Look at the newest email.",
  app: "This is not the code. Type the one that the app shows now: each works once.",
  passkey: "This passkey was refused. Start again.",
  list: "This is no recovery code of yours, or it was used before.",
};

const byFailure: Record<PasskeyFailure["reason"], string> = {
  cancelled: "No passkey was used. Try again.",
  exists: "This device has a passkey of yours already.",
  unsupported: "This browser has no passkeys on this page.",
};

const byReason: Record<string, string> = {
  recent_sign_in_required:
    "Give the password, or sign in again first (to change the phone, by your email): within ten minutes none is needed.",
  step_up_required: "Nothing was done: confirm first that it is you.",
  second_factor_setup_required: "This service requires a second factor. Add one first.",
  proof_required: "This service asks for a captcha before it sends a code now. This page has none.",
  too_many_factors: "The account has as many second factors as it may have. Remove one first.",
  factor_not_found: "This second factor was removed, or its code came too late. Start again.",
  last_factor: "This service requires a second factor. Add another one before you remove this one.",
  too_short: "The password is too short: use eight characters or more.",
  too_long: "The password is too long.",
  too_common: "Too many people use this password. Choose another one.",
  already_registered: "Another account has this phone or email.",
  not_enabled: "This service does not offer this.",
};

/** What routes call a phone or email that is typed into the one field "phone". */
const nameFields = new Set(["input.identifier", "email"]);

/** The name of the field that is the cause, where one is. */
export function fieldOf(error: DemoError, source: Source = "SMS"): string | undefined {
  const codeField = source === "list" ? "recoveryCode" : "otp";
  if (error.code === "MISSING_FIELDS")
    return source === "app" || source === "list" ? codeField : error.details.fields[0];
  if (error.code === "INVALID_IDENTIFIER" || error.code === "INVALID_REQUEST")
    return nameFields.has(error.details.field ?? "") ? "phone" : error.details.field;
  return error.code.startsWith("INVALID_OTP") ? codeField : undefined;
}

/** Seconds to wait until another attempt makes sense. */
export const waitingTime = (error: DemoError): number =>
  error.code === "RATE_LIMIT_EXCEEDED" ? error.details.retryAfterSeconds : 0;
