import { createHmac } from "node:crypto";
import { dictionary } from "@zxcvbn-ts/language-common";

const commonPasswords = new Set<string>(dictionary["passwords-common"]);

export interface NewPassword {
  password_prehash: string;
  password_length: number;
  password_is_common: boolean;
}

/**
 * The keyed pre-hash that the database receives in place of a password (HMAC-SHA-256, base64): bcrypt's limit of 72 bytes truncates
 * nothing, and a slow-query log that holds parameters holds no password.
 * The password is normalized (NFC, as NIST SP 800-63B asks), so that it is the same on every keyboard and system.
 */
export function prehash(passwordKey: Buffer, password: string): string {
  return createHmac("sha256", passwordKey).update(password.normalize("NFC"), "utf8").digest("base64");
}

/** The properties of a password by which SQL applies the rules without the password itself. */
export function describeNewPassword(passwordKey: Buffer, password: string): NewPassword {
  return {
    password_prehash: prehash(passwordKey, password),
    password_length: Array.from(password.normalize("NFC")).length,
    password_is_common: isCommon(password),
  };
}

/** A common password is as easy to guess with full-width letters, padding or capitals. */
const isCommon = (password: string): boolean =>
  commonPasswords.has(password.normalize("NFKC").trim().toLowerCase());
