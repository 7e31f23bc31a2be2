import { hkdfSync } from "node:crypto";

/** A key that is derived from a pepper. */
export interface PepperKey {
  /** Names the pepper beside what is hashed or encrypted under it: the first 8 bytes of its fingerprint, in hexadecimal. */
  pepperId: string;
  key: Buffer;
}

/**
 * Derives a key from the pepper. The password key stays in the server and the code key is sent to SQL, so neither may
 * be computable from the other.
 */
function deriveKey(pepper: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync("sha256", pepper, Buffer.alloc(0), `latchkey ${use} key`, 32));
}

/** Derives a key of each pepper that HASH_PEPPER names: the first makes what is new, the others open what is there. */
export const deriveKeys = (peppers: readonly Buffer[], use: string): PepperKey[] =>
  peppers.map((pepper) => ({ pepperId: pepperIdOf(fingerprintOf(pepper)), key: deriveKey(pepper, use) }));

/** The key that makes what is new. HASH_PEPPER names at least one pepper. */
export function currentKey([first]: readonly PepperKey[]): PepperKey {
  if (!first) throw new Error("HASH_PEPPER names no pepper");
  return first;
}

/** Stored in the database, which cannot compute a key or the pepper from it. */
const fingerprintOf = (pepper: Buffer): Buffer => deriveKey(pepper, "fingerprint");

export const fingerprintsOf = (peppers: readonly Buffer[]): Buffer[] => peppers.map(fingerprintOf);

export const pepperIdOf = (fingerprint: Buffer): string => fingerprint.subarray(0, 8).toString("hex");

/** The code keys as SQL takes them (private.hash_code): each with its pepper's id before it. */
export const deriveCodeKey = (peppers: readonly Buffer[]): Buffer =>
  Buffer.concat(deriveKeys(peppers, "code").flatMap(({ pepperId, key }) => [Buffer.from(pepperId, "hex"), key]));
