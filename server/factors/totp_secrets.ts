import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { currentKey, type PepperKey } from "../../config/secrets/derived_keys.ts";

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
  /** @throws Error if it was encrypted under a pepper that HASH_PEPPER does not name, or for another user */
  open: (userId: string, sealed: SealedSecret) => Buffer;
  /**
   * The opened secret as SQL takes it (private.use_totp): where it was encrypted under another pepper than the current
   * one, with the current one's id and itself encrypted under that, to be stored when its code is right.
   * @throws as open
   */
  openToUse: (userId: string, sealed: SealedSecret) => Buffer;
  /** As of this server's pepper. */
  pepperId: string;
}

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
/** As long as a key of SHA-1 should be (RFC 4226, section 4). */
const secretBytes = 20;

/** @param factorKeys the current pepper's first */
export function createTotpSecrets({ factorKeys }: { factorKeys: readonly PepperKey[] }): TotpSecrets {
  const { pepperId, key } = currentKey(factorKeys);

  const seal = (userId: string, secret: Buffer): SealedSecret => {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(userId));
    const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
    return { sealed_secret: Buffer.concat([nonce, sealed, cipher.getAuthTag()]), pepper_id: pepperId };
  };

  const open: TotpSecrets["open"] = (userId, { sealed_secret: sealed, pepper_id }) => {
    const factorKey = factorKeys.find((candidate) => candidate.pepperId === pepper_id)?.key;
    if (factorKey === undefined)
      throw new Error(
        `The secret of an app is encrypted under pepper ${pepper_id}, and HASH_PEPPER names ` +
          factorKeys.map((candidate) => candidate.pepperId).join(" and "),
      );
    const decipher = createDecipheriv(algorithm, factorKey, sealed.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    // Whose it is: a secret that was copied into another user's row does not open.
    decipher.setAAD(Buffer.from(userId)).setAuthTag(sealed.subarray(-tagBytes));
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
  };

  return {
    pepperId,
    make: (userId) => seal(userId, randomBytes(secretBytes)),
    open,
    openToUse(userId, sealed) {
      const secret = open(userId, sealed);
      if (sealed.pepper_id === pepperId) return secret;
      return Buffer.concat([secret, Buffer.from(pepperId, "hex"), seal(userId, secret).sealed_secret]);
    },
  };
}
