import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** A secret as the database holds it. */
export interface SealedSecret {
  sealed_secret: Buffer;
  /** Names the HASH_PEPPER that the secret is encrypted under. */
  pepper_id: string;
}

/** The secrets of authenticator apps, which the database holds encrypted: its backup alone makes no codes. */
export interface TotpSecrets {
  /** A new secret of a user. */
  make: (userId: string) => SealedSecret;
  /** @throws Error if it was encrypted under another pepper, or for another user */
  open: (userId: string, sealed: SealedSecret) => Buffer;
  /** As of this server's pepper. */
  pepperId: string;
}

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
/** As long as a key of SHA-1 should be (RFC 4226, section 4). */
const secretBytes = 20;

interface Keys {
  factorKey: Buffer;
  pepperFingerprint: Buffer;
}

export function createTotpSecrets({ factorKey, pepperFingerprint }: Keys): TotpSecrets {
  const pepperId = pepperFingerprint.subarray(0, 8).toString("hex");
  return {
    pepperId,
    make(userId) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, factorKey, nonce).setAAD(Buffer.from(userId));
      const sealed = Buffer.concat([cipher.update(randomBytes(secretBytes)), cipher.final()]);
      return { sealed_secret: Buffer.concat([nonce, sealed, cipher.getAuthTag()]), pepper_id: pepperId };
    },
    open(userId, { sealed_secret: sealed, pepper_id }) {
      if (pepper_id !== pepperId)
        throw new Error(
          `The secret of an app is encrypted under HASH_PEPPER ${pepper_id}, and this one is ${pepperId}`,
        );
      const decipher = createDecipheriv(algorithm, factorKey, sealed.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      // Whose it is: a secret that was copied into another user's row does not open.
      decipher.setAAD(Buffer.from(userId)).setAuthTag(sealed.subarray(-tagBytes));
      return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
    },
  };
}
