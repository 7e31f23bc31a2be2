import type { Result, SentCode } from "@latchkey/client";
import { latchkey } from "./latchkey.ts";
import { isEmail } from "./ways.ts";
import { isNameable } from "./web_otp.ts";

/**
 * If the browser can read a code from the SMS, the SMS names this page's origin, provided that the service allows it.
 */
async function withAutofill<Data>(
  send: (options: { autofill?: { origin: string } }) => Promise<Result<Data>>,
): Promise<Result<Data>> {
  if (isNameable) {
    const sent = await send({ autofill: { origin: location.origin } });
    if (sent.error?.code !== "INVALID_REQUEST" || sent.error.details.reason !== "autofill_not_allowed") return sent;
  }
  return send({});
}

/** Sends a code that signs in to the account of a phone, or opens one; or to that of an email. */
export const sendSignInCode = (name: string): Promise<Result<SentCode>> =>
  isEmail(name) ? latchkey.signInWithCode(name) : withAutofill((options) => latchkey.signInWithCode(name, options));

/** Sends the code of a registration. */
export const sendSignUpCode = (phone: string): Promise<Result<unknown>> =>
  withAutofill((options) =>
    latchkey.POST("/otp/send", {
      body: { input: { identifier: phone, identifierType: "PHONE", purpose: "SIGNUP", ...options } },
    }),
  );

/** The SMS to a phone that the service has printed instead of sending it; null where it shows none. */
export async function printedTexts(phone: string): Promise<string[] | null> {
  try {
    const response = await fetch("/demo/messages", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ phone }),
    });
    if (response.ok) return ((await response.json()) as { messages: string[] }).messages;
    // Any other failure is temporary, and the page requests the SMS again.
    return response.status === 404 ? null : [];
  } catch {
    return [];
  }
}
