import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

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

/** @throws if it was encrypted under another pepper */
export function openSignerKey(passwordKey: Buffer, sealedText: string): string {
  const sealed = Buffer.from(sealedText, "base64");
  const decipher = createDecipheriv(algorithm, keyOf(passwordKey), sealed.subarray(0, nonceBytes));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString("base64");
}
