import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { z } from "zod";

/**
 * E.164 of a phone written internationally, with nothing before or after it but blanks; undefined if it is not valid.
 * Each subscriber has one: of two valid numbers that reach the same mobile, the result is the one that receives SMS.
 */
export function normalizePhone(text: string): string | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith("+")) return undefined;
  const phone = parsePhoneNumberFromString(trimmed, { extract: false });
  // An extension cannot receive an SMS, and would make two spellings of one phone.
  return phone?.isValid() && phone.ext === undefined ? canonicalNumber(phone.number) : undefined;
}

/** Start of a number that also reaches a mobile, and the start of that mobile's own number. */
const mobileAliases: [alias: RegExp, mobile: string][] = [
  // Argentina: the mobile token 9 is often left out. With it, no fixed line can be meant, so the mobile's holder gets the code.
  [/^\+54(?!9)/, "+549"],
  // Palestinian mobiles (056 and 059) can be dialed with Israel's country code too.
  [/^\+972(?=5[69])/, "+970"],
];

/** Not every number that begins like an alias is one: toll-free numbers have no mobile form. */
function canonicalNumber(number: string): string {
  for (const [alias, mobile] of mobileAliases) {
    const candidate = number.replace(alias, mobile);
    if (candidate !== number && parsePhoneNumberFromString(candidate)?.getType() === "MOBILE")
      return candidate;
  }
  return number;
}

const emailSchema = z.email().max(254);

/** An email address, trimmed and lower-cased; else undefined. */
export function normalizeEmail(text: string): string | undefined {
  const email = emailSchema.safeParse(text.trim().toLowerCase());
  return email.success ? email.data : undefined;
}
