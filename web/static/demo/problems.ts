import type { LatchkeyError } from "@latchkey/client";

/** Explains an error and what to do about it, for people. */
export function sentenceOf(error: LatchkeyError): string {
  switch (error.code) {
    case "INVALID_REQUEST":
      return byReason[error.details.reason] ?? error.message;
    case "MISSING_FIELDS":
      return "Fill in every field.";
    case "INVALID_IDENTIFIER":
      return "Write the phone number with its country code, such as +1 212 555 0123.";
    case "INVALID_OTP_FORMAT":
      return "The code has only digits, as many as the SMS says.";
    case "INVALID_OTP":
      return "This is not the code. Look at the newest SMS.";
    case "OTP_EXPIRED":
    case "OTP_ALREADY_USED":
      return "This code is no longer valid. Send a new one.";
    case "MAX_ATTEMPTS_REACHED":
      return "Too many wrong codes. Send a new one. If it is refused in the same way, try again tomorrow.";
    case "OTP_SEND_FAILED":
      return "The SMS could not be sent. Try again.";
    case "RATE_LIMIT_EXCEEDED":
      return "Too many attempts.";
    case "NETWORK_FAILURE":
      return "The service does not answer. Check the network, then try again.";
    default:
      return error.message;
  }
}

const byReason: Record<string, string> = {
  recent_sign_in_required: "Sign in again first: a first password is set within ten minutes of that.",
  too_short: "The password is too short: use eight characters or more.",
  too_long: "The password is too long.",
  too_common: "Too many people use this password. Choose another one.",
  already_registered: "This phone has an account: log in instead.",
  not_enabled: "This service does not offer login by code.",
};

/** The name of the field that is the cause, where one is. */
export function fieldOf(error: LatchkeyError): string | undefined {
  if (error.code === "MISSING_FIELDS") return error.details.fields[0];
  if (error.code === "INVALID_IDENTIFIER" || error.code === "INVALID_REQUEST") return error.details.field;
  return error.code.startsWith("INVALID_OTP") ? "otp" : undefined;
}

/** Seconds to wait until another attempt makes sense. */
export const waitingTime = (error: LatchkeyError): number =>
  error.code === "RATE_LIMIT_EXCEEDED" ? error.details.retryAfterSeconds : 0;
