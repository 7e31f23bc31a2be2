import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

const ITERATIONS = 4096;

/**
 * What PostgreSQL would store for this password. Sent in its place (`alter role … password '<verifier>'`),
 * it keeps the password itself out of the statement, and so out of every log.
 */
export function scramVerifier(password: string): string {
  if (password === "") throw new Error("A database password must not be empty");
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(normalized(password), salt, ITERATIONS, 32, "sha256");
  const storedKey = createHash("sha256").update(hmac(salted, "Client Key")).digest("base64");
  const serverKey = hmac(salted, "Server Key").toString("base64");
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** SASLprep as libpq and node-postgres apply it when they log in; without it "ﬁ" would never match. */
function normalized(password: string): string {
  const spaces = /[\u00A0\u1680\u2000-\u200B\u202F\u205F\u3000]/g;
  const nothing = /\u00AD|\u034F|\u1806|[\u180B-\u180D]|\u200C|\u200D|\u2060|[\uFE00-\uFE0F]|\uFEFF/g;
  return password.replace(spaces, " ").replace(nothing, "").normalize("NFKC");
}
