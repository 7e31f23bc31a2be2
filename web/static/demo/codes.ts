import type { LatchkeyError, Result } from "@latchkey/client";
import { latchkey } from "./latchkey.ts";
import { hasWebOtp } from "./web_otp.ts";

type Purpose = "LOGIN" | "SIGNUP";

/** Sends a code by SMS. If the browser can read the code from the SMS, the SMS names this page's origin, provided that the service allows it. */
export async function sendCode(phone: string, purpose: Purpose): Promise<Result<unknown, LatchkeyError>> {
  const input = { identifier: phone, identifierType: "PHONE", purpose } as const;
  if (hasWebOtp) {
    const autofill = { origin: location.origin };
    const sent = await latchkey.POST("/otp/send", { body: { input: { ...input, autofill } } });
    if (sent.error?.code !== "INVALID_REQUEST" || sent.error.details.reason !== "autofill_not_allowed")
      return sent;
  }
  return latchkey.POST("/otp/send", { body: { input } });
}

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
