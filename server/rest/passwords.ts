import { createHmac } from "node:crypto";
import { dictionary } from "@zxcvbn-ts/language-common";

const commonPasswords = new Set<string>(dictionary["passwords-common"]);

export interface NewPassword {
  password_prehash: string;
  password_length: number;
  password_is_common: boolean;
}

/**
 * The keyed pre-hash that goes to the database in a password's place (HMAC-SHA-256, base64): bcrypt's 72 bytes cut
 * nothing off, and no parameter that a slow-query log might catch is a password.
 * Normalized (NFC, as NIST SP 800-63B asks), so that a password typed on another system is the same one.
 */
export function prehash(passwordKey: Buffer, password: string): string {
  return createHmac("sha256", passwordKey).update(password.normalize("NFC"), "utf8").digest("base64");
}

/** What SQL needs to apply the password rules without seeing the password. */
export function describeNewPassword(passwordKey: Buffer, password: string): NewPassword {
  return {
    password_prehash: prehash(passwordKey, password),
    password_length: Array.from(password.normalize("NFC")).length,
    password_is_common: isCommon(password),
  };
}

/** Full-width letters, padding and capitals do not make a common password harder to guess. */
const isCommon = (password: string): boolean =>
  commonPasswords.has(password.normalize("NFKC").trim().toLowerCase());
