import { createHmac } from "node:crypto";
import { dictionary } from "@zxcvbn-ts/language-common";
import type { PepperKey } from "../../config/secrets/derived_keys.ts";
import { normalizeText } from "../../runtime/normalize_text.ts";

const commonPasswords = new Set<string>(dictionary["passwords-common"]);

export interface NewPassword {
  password_prehash: string;
  password_length: number;
  password_is_common: boolean;
}

/**
 * The keyed pre-hashes that the database receives in place of a password (HMAC-SHA-256, base64), one for
 * each pepper with its id before it (private.named_prehash): bcrypt's limit of 72
 * bytes truncates nothing, and a slow-query log that holds parameters holds no password. The password is normalized
 * (NFC, as NIST SP 800-63B asks), so that it is the same on every keyboard and system. One that is too long for that is
 * no account's: its pre-hash is compared like that of any other wrong password.
 */
export const prehash = (passwordKeys: readonly PepperKey[], password: string): string =>
  macs(passwordKeys, canonical(password));

/** The properties of a password by which SQL applies the rules without the password itself. */
export function describeNewPassword(passwordKeys: readonly PepperKey[], password: string): NewPassword {
  const text = canonical(password);
  return {
    password_prehash: macs(passwordKeys, text),
    // Of a password that is too long to be normalized as it is: that is longer than SQL allows, too.
    password_length: Array.from(text).length,
    password_is_common: isCommon(text),
  };
}

const canonical = (password: string): string => normalizeText(password, "NFC") ?? password;

const macs = (passwordKeys: readonly PepperKey[], text: string): string =>
  passwordKeys
    .map(({ pepperId, key }) => `${pepperId}:${createHmac("sha256", key).update(text, "utf8").digest("base64")}`)
    .join(",");

/** A common password is as easy to guess with full-width letters, padding or capitals. */
const isCommon = (text: string): boolean =>
  commonPasswords.has((normalizeText(text, "NFKC") ?? text).trim().toLowerCase());
