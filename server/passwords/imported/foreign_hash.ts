import { exceededBound } from "./bounds.ts";
import { parseParameters } from "./foreign_parameters.ts";

/** A password hash of another system. */
export interface ForeignHash {
  /** Its text without the digest: scheme, costs and salt (foreign_parameters.ts). */
  prefix: string;
  digest: string;
  digestBytes: number;
}

const bcryptStart = /^\$2[aby]\$/;
const bcryptPrefixLength = 29;
/** The last letter stands for four bits. */
const bcryptDigest = /^[./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/;
const bcryptDigestBytes = 23;
/** With the dot of passlib, which stands for a plus sign. */
const base64Digest = /^[A-Za-z0-9+/_.-]{22,344}={0,2}$/;

/** @throws RangeError that says what is wrong, without any part of the text */
export function parseForeignHash(text: string): ForeignHash {
  const hash = bcryptStart.test(text) ? splitBcrypt(text) : splitBase64(text);
  const parameters = hash && parseParameters(hash.prefix);
  if (!parameters)
    throw new RangeError(
      "the password hash is none of $2a$ $2b$ $2y$, $argon2id$v=19$, $pbkdf2-sha256$, $pbkdf2-sha512$, pbkdf2_sha256$, " +
        "$scrypt$ln=,r=,p=$ and $fbscrypt$v=1,…",
    );
  const exceeded = exceededBound(parameters, hash.digestBytes);
  if (exceeded !== undefined) throw new RangeError(`the ${parameters.scheme} hash is refused: ${exceeded}`);
  return hash;
}

function splitBcrypt(text: string): ForeignHash | undefined {
  const digest = text.slice(bcryptPrefixLength);
  if (!bcryptDigest.test(digest)) return undefined;
  return { prefix: text.slice(0, bcryptPrefixLength), digest, digestBytes: bcryptDigestBytes };
}

function splitBase64(text: string): ForeignHash | undefined {
  const end = text.lastIndexOf("$");
  const digest = text.slice(end + 1);
  if (!base64Digest.test(digest)) return undefined;
  const bytes = Buffer.from(digest.replaceAll(".", "+"), "base64");
  return { prefix: text.slice(0, end), digest: encodeDigest(bytes), digestBytes: bytes.length };
}

/** Base64 as the PHC string format has it: without padding. */
export const encodeDigest = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString("base64")
    .replace(/={1,2}$/, "");
