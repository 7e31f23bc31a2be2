import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

const ITERATIONS = 4096;

/**
 * Computes the SCRAM-SHA-256 verifier that PostgreSQL stores for a password. `alter role … password '<verifier>'` keeps
 * the password itself out of the statement and therefore out of every log.
 * @throws Error when the password is empty
 */
export function scramVerifier(password: string): string {
  if (password === "") throw new Error("A database password must not be empty");
  const salt = randomBytes(16);
  const saltedPassword = pbkdf2Sync(normalize(password), salt, ITERATIONS, 32, "sha256");
  const storedKey = createHash("sha256").update(hmac(saltedPassword, "Client Key")).digest("base64");
  const serverKey = hmac(saltedPassword, "Server Key").toString("base64");
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/**
 * Applies SASLprep, as libpq and node-postgres do at login. Without it a password with the ligature "ﬁ" never matches.
 */
function normalize(password: string): string {
  const spaces = /[\u00A0\u1680\u2000-\u200B\u202F\u205F\u3000]/g;
  const removed = /\u00AD|\u034F|\u1806|[\u180B-\u180D]|\u200C|\u200D|\u2060|[\uFE00-\uFE0F]|\uFEFF/g;
  // The operator's own password: whatever its length, PostgreSQL normalizes it, too.
  // eslint-disable-next-line no-restricted-syntax
  return password.replace(spaces, " ").replace(removed, "").normalize("NFKC");
}
