import { createCipheriv, pbkdf2Sync, scryptSync } from "node:crypto";
import { argon2id, bcrypt } from "hash-wasm";
import { encodeDigest } from "./foreign_hash.ts";
import { parseParameters } from "./foreign_parameters.ts";

export interface DigestTask {
  /** ForeignHash.prefix */
  prefix: string;
  digestBytes: number;
  password: string;
}

/** The digest of a password under a foreign hash's prefix. Computes for up to a second: run it in a worker thread. */
export async function computeDigest({ prefix, digestBytes, password }: DigestTask): Promise<string> {
  const parameters = parseParameters(prefix);
  if (!parameters) throw new Error("the stored parameters of an imported hash are of no scheme");
  // The bytes as typed: the other system did not normalize them.
  const bytes = Buffer.from(password, "utf8");
  if (parameters.scheme === "bcrypt") return bcryptDigest(bytes, parameters.cost, parameters.salt);
  if (parameters.scheme === "pbkdf2")
    return encodeDigest(pbkdf2Sync(bytes, parameters.salt, parameters.rounds, digestBytes, parameters.hash));
  const { salt, p } = parameters;
  if (parameters.scheme === "argon2id") {
    const costs = { memorySize: parameters.m, iterations: parameters.t, parallelism: p };
    const digest = argon2id({
      password: bytes,
      salt,
      ...costs,
      hashLength: digestBytes,
      outputType: "binary",
    });
    return encodeDigest(await digest);
  }
  const options = { N: 2 ** parameters.ln, r: parameters.r, p, maxmem: 2 ** 28 };
  if (parameters.scheme === "scrypt") return encodeDigest(scryptSync(bytes, salt, digestBytes, options));
  // Firebase: the derived key encrypts the project's signer key, and the result is the digest.
  const derivedKey = scryptSync(bytes, Buffer.concat([salt, parameters.ss]), 32, options);
  const cipher = createCipheriv("aes-256-ctr", derivedKey, Buffer.alloc(16));
  return encodeDigest(Buffer.concat([cipher.update(parameters.sk), cipher.final()]));
}

const bcryptBytes = 72;
const bcryptDigestLength = 31;

/** bcrypt reads 72 bytes of a password. $2a$, $2b$ and $2y$ differ only in defects of old libraries. */
async function bcryptDigest(password: Buffer, costFactor: number, salt: string): Promise<string> {
  const hash = await bcrypt({
    password: password.subarray(0, bcryptBytes),
    costFactor,
    outputType: "encoded",
    salt: Buffer.from(toStandardBase64(salt), "base64"),
  });
  return hash.slice(-bcryptDigestLength);
}

const standard = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const ofBcrypt = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const toStandardBase64 = (text: string): string =>
  Array.from(text, (letter) => standard.charAt(ofBcrypt.indexOf(letter))).join("");
