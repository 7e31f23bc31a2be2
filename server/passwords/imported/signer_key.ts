import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { PepperKey } from "../../../config/secrets/derived_keys.ts";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

const keyOf = (passwordKey: Buffer): Buffer =>
  Buffer.from(hkdfSync("sha256", passwordKey, Buffer.alloc(0), "latchkey signer key", 32));

/**
 * Encrypts the signer key of a Firebase project, so that the database alone does not hold that secret. Base64 in and
 * out.
 */
export function sealSignerKey(passwordKey: Buffer, signerKey: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, keyOf(passwordKey), nonce);
  const sealed = Buffer.concat([cipher.update(Buffer.from(signerKey, "base64")), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString("base64");
}

/**
 * Decrypts a signer key by the first of the keys that fits. Where none does, because the pepper was dropped, it returns
 * one that is no project's: the password is wrong, after the same work, as it is for a phone without an account.
 */
export function openSignerKey(passwordKeys: readonly PepperKey[], sealedText: string): string {
  for (const { key } of passwordKeys) {
    try {
      return open(key, sealedText);
    } catch {
      // Encrypted under another pepper.
    }
  }
  return sealedText;
}

function open(passwordKey: Buffer, sealedText: string): string {
  const sealed = Buffer.from(sealedText, "base64");
  const decipher = createDecipheriv(algorithm, keyOf(passwordKey), sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString("base64");
}
