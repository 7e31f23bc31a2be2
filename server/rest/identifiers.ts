import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { z } from "zod";

/** E.164 of a phone written internationally, with nothing before or after it but blanks; else undefined. */
export function normalizePhone(text: string): string | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith("+")) return undefined;
  const phone = parsePhoneNumberFromString(trimmed, { extract: false });
  // An extension cannot receive an SMS, and would make two spellings of one phone.
  return phone?.isValid() && phone.ext === undefined ? phone.number : undefined;
}

const emailSchema = z.email().max(254);

/** An email address, trimmed and lower-cased; else undefined. */
export function normalizeEmail(text: string): string | undefined {
  const email = emailSchema.safeParse(text.trim().toLowerCase());
  return email.success ? email.data : undefined;
}
