import { hkdfSync } from "node:crypto";

/**
 * Derives a key from the pepper. The password key stays in the server and the code key is sent to SQL, so neither may
 * be computable from the other.
 */
export function deriveKey(pepperBytes: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync("sha256", pepperBytes, Buffer.alloc(0), `latchkey ${use} key`, 32));
}
