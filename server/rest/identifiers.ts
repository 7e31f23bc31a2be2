import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { z } from "zod";
import { readTypedText } from "./typed_text.ts";

/**
 * Normalizes a phone number as people type it, written internationally with optional blanks around it, to E.164; undefined if it is not
 * valid.
 * If two valid numbers reach the same mobile, both become the one that receives SMS, so that each subscriber has one identifier.
 */
export function normalizePhone(text: string): string | undefined {
  // U+FF0B: the full-width plus, beside full-width digits.
  const typed = readTypedText(text)
    ?.trim()
    .replace(/^\uff0b/, "+");
  if (typed?.startsWith("+") !== true) return undefined;
  const phone = parsePhoneNumberFromString(typed, { extract: false });
  // An extension cannot receive an SMS, and would give one phone two spellings.
  return phone?.isValid() && phone.ext === undefined ? canonicalNumber(phone.number) : undefined;
}

/** Prefixes by which a mobile can be dialed as well, and the prefix of its own number. */
const mobileAliases: [alias: RegExp, mobile: string][] = [
  // Argentina: the mobile token 9 is often left out. A number with it is never a fixed line.
  [/^\+54(?!9)/, "+549"],
  // Palestinian mobiles (056 and 059) can be dialed with Israel's country code too.
  [/^\+972(?=5[69])/, "+970"],
];

/** Not every number with such a prefix is a mobile's: toll-free numbers have no mobile form. */
function canonicalNumber(number: string): string {
  for (const [alias, mobile] of mobileAliases) {
    const candidate = number.replace(alias, mobile);
    if (candidate !== number && parsePhoneNumberFromString(candidate)?.getType() === "MOBILE")
      return candidate;
  }
  return number;
}

/** A phone's country as ISO 3166-1 alpha-2 code; 001, the world, for a number of no single country. phone: E.164. */
export function countryOf(phone: string): string {
  return parsePhoneNumberFromString(phone)?.country ?? "001";
}

const longestEmail = 254;
const emailSchema = z.email().max(longestEmail);

/** Trims and lower-cases an email address; undefined if it is not valid. */
export function normalizeEmail(text: string): string | undefined {
  const trimmed = text.trim();
  // Before the pattern, whose time depends on the version of zod.
  if (trimmed.length > longestEmail) return undefined;
  const email = emailSchema.safeParse(trimmed.toLowerCase());
  return email.success ? email.data : undefined;
}
