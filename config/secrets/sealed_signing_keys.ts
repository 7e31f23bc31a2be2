import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { z } from "zod";
import { currentKey, type PepperKey } from "./derived_keys.ts";
import { createSigningKeys, parseSigningKeys, type SigningAlgorithm, type SigningKey } from "./signing_keys.ts";

/** A signing key as the database holds it: a row of startup.signing_keys. */
export interface SealedSigningKey {
  kid: string;
  algorithm: SigningAlgorithm;
  sealed_key: Buffer;
  /** Names the KEY_ENCRYPTION_KEY that it is encrypted under. */
  encryption_key_id: string;
}

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
const jwkSet = z.string().transform(parseSigningKeys);

/** A new signing key, encrypted under the first of the keys. */
export function createSealedSigningKey(
  encryptionKeys: readonly PepperKey[],
  signingAlgorithm: SigningAlgorithm,
): SealedSigningKey {
  const set = createSigningKeys(signingAlgorithm);
  const [key] = jwkSet.parse(set);
  if (!key) throw new Error("no key was created");
  const { pepperId, key: encryptionKey } = currentKey(encryptionKeys);
  const nonce = randomBytes(nonceBytes);
  // Bound to its name: a row whose key was replaced by that of another row does not open.
  const cipher = createCipheriv(algorithm, encryptionKey, nonce).setAAD(Buffer.from(key.kid));
  const sealed = Buffer.concat([cipher.update(set, "utf8"), cipher.final()]);
  return {
    kid: key.kid,
    algorithm: signingAlgorithm,
    sealed_key: Buffer.concat([nonce, sealed, cipher.getAuthTag()]),
    encryption_key_id: pepperId,
  };
}

/** @throws Error that names the key, if no KEY_ENCRYPTION_KEY opens it */
export function openSigningKey(encryptionKeys: readonly PepperKey[], sealed: SealedSigningKey): SigningKey {
  const { kid, sealed_key, encryption_key_id } = sealed;
  const encryptionKey = encryptionKeys.find(({ pepperId }) => pepperId === encryption_key_id)?.key;
  if (!encryptionKey)
    throw new Error(
      `the signing key ${kid} is encrypted under KEY_ENCRYPTION_KEY ${encryption_key_id}, which is not the one of this server. If that one is lost: docs/operations.md#signing-keys`,
    );
  try {
    const decipher = createDecipheriv(algorithm, encryptionKey, sealed_key.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(Buffer.from(kid)).setAuthTag(sealed_key.subarray(-tagBytes));
    const text = Buffer.concat([decipher.update(sealed_key.subarray(nonceBytes, -tagBytes)), decipher.final()]);
    const [key] = jwkSet.parse(text.toString("utf8"));
    if (key?.kid === kid) return key;
  } catch {
    // The causes may quote the key.
  }
  throw new Error(`the signing key ${kid} was changed since it was encrypted: retire it`);
}
