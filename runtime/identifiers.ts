import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { z } from "zod";
import { readTypedText } from "./typed_text.ts";

/**
 * Normalizes a phone number as people type it, written internationally with optional blanks around it, to E.164;
 * undefined if it cannot be a number of its country. It need not be valid (describeNumber): a number that somebody has
 * may be unknown to the library's numbering plans, or no longer in them. Numbers by which one mobile is reached become
 * the one that receives SMS today, so that each subscriber has one identifier.
 */
export function normalizePhone(text: string): string | undefined {
  const phone = readPhone(text);
  // The library strips one trunk or carrier prefix. With a second one the mobile would have another identifier, and
  // limits of its own.
  return phone !== undefined && readPhone(phone) === phone ? phone : undefined;
}

function readPhone(text: string): string | undefined {
  // U+FF0B: the full-width plus, beside full-width digits.
  const typed = readTypedText(text)
    ?.trim()
    .replace(/^\uff0b/, "+");
  if (typed?.startsWith("+") !== true) return undefined;
  const phone = parsePhoneNumberFromString(typed, { extract: false });
  // An extension cannot receive an SMS, and would give one phone two spellings.
  if (phone === undefined || phone.ext !== undefined) return undefined;
  const number = currentNumber(phone.number);
  // SQL refuses what is no E.164 (private.is_e164); a plan may have shorter and longer numbers.
  const isPossible = /^\+[1-9]\d{6,14}$/.test(number) && parsePhoneNumberFromString(number)?.isPossible() === true;
  return isPossible ? canonicalNumber(number) : undefined;
}

/**
 * Forms that numbers had before their country changed its plan, and what replaced the matched part.
 * private.current_number has the same, for stored phones. Checked on 2026-11-28.
 */
const formerNumbers: [former: RegExp, current: string][] = [
  // Benin, 30 November 2024: 01 before the eight digits of every number (fr.allafrica.com/stories/202411300249.html).
  [/^\+229(?=[2-9]\d{7}$)/, "+22901"],
  // Gabon, 15 November 2019: 6 before the mobiles of Libertis and Moov, 7 before those of Airtel; former numbers ended
  // on 6 April 2024 (news.alibreville.com/h/114469.html). From abroad they had a zero, or none (libphonenumber's plan
  // has both forms).
  [/^\+2410?(?=[256]\d{6}$)/, "+2416"],
  [/^\+2410?(?=[47]\d{6}$)/, "+2417"],
  // Mexico, 3 August 2019: no 1 before a mobile's number (ituob.org/issues/1151-en; recipes.csv of libphonenumber's
  // migrator).
  [/^\+521(?=[2-9]\d{9}$)/, "+52"],
  // Brazil, until November 2016: a ninth digit before a mobile's eight (recipes.csv of libphonenumber's migrator).
  // Those that begin with 7 may be trunked radio, which keeps eight (showmetech.com.br, on the ninth digit in São
  // Paulo).
  [/^\+55([1-9]{2})(?=[689]\d{7}$)/, "+55$19"],
  // Ivory Coast, 31 January 2021: the operator's two digits before a mobile's eight (pressafrik.com, a225616), by the
  // ranges that each operator had (resources/carrier/en/225.txt of libphonenumber 8.12). Fixed lines, which receive no
  // SMS, are left out.
  [/^\+225(?=(?:0[1-3]|[457][0-3])\d{6}$)/, "+22501"],
  [/^\+225(?=[04-9][4-6]\d{6}$)/, "+22505"],
  [/^\+225(?=(?:[045789][7-9]|6[78])\d{6}$)/, "+22507"],
];

function currentNumber(number: string): string {
  for (const [former, current] of formerNumbers) if (former.test(number)) return number.replace(former, current);
  return number;
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
    if (candidate !== number && parsePhoneNumberFromString(candidate)?.getType() === "MOBILE") return candidate;
  }
  return number;
}

/** What numbering plans say of a phone. */
export interface NumberDescription {
  /** ISO 3166-1 alpha-2 code; 001, the world: a number of no single country, or of none that is known. */
  country: string;
  /** libphonenumber's type, such as MOBILE; INVALID: no plan that the library knows has such a number. */
  number_type: string;
}

/** phone: E.164. */
export function describeNumber(phone: string): NumberDescription {
  const parsed = parsePhoneNumberFromString(phone);
  return { country: parsed?.country ?? "001", number_type: parsed?.getType() ?? "INVALID" };
}

/**
 * Whether the numbering plans that the library knows have such a number: asked only where no account can have it
 * already. phone: E.164.
 */
export const isValidPhone = (phone: string): boolean => describeNumber(phone).number_type !== "INVALID";

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
