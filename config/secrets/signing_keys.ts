import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomUUID,
  sign,
  verify,
  type KeyObject,
} from "node:crypto";
import { z } from "zod";

/** The algorithms of our tokens (RFC 7518 section 3.1): that of its key signs and verifies each token. */
export type SigningAlgorithm = "ES256" | "RS256";

export interface SigningKey {
  kid: string;
  algorithm: SigningAlgorithm;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

const member = z.string().min(1);
const ecKey = z.looseObject({
  kty: z.literal("EC"),
  crv: z.literal("P-256"),
  kid: member,
  x: member,
  y: member,
  d: member,
});
const rsaKey = z.looseObject({ kty: z.literal("RSA"), kid: member, n: member, e: member, d: member });
const jwkSet = z.object({ keys: z.array(z.discriminatedUnion("kty", [ecKey, rsaKey])).min(1) });

/** A signature with more bits takes milliseconds, of which every sign-in has two. */
const rsaBits = { least: 2048, most: 4096 };

/**
 * Parses JWT_KEYS, a private JWK set (RFC 7517) of P-256 and RSA keys: the first signs, all verify. Key objects are
 * created here once, because jsonwebtoken is several times slower with any other form of key.
 */
export function parseSigningKeys(text: string, context: z.RefinementCtx): SigningKey[] {
  try {
    const { keys } = jwkSet.parse(JSON.parse(text));
    if (new Set(keys.map((key) => key.kid)).size < keys.length) throw new Error("two keys share a kid");
    return keys.map((key) => {
      const privateKey = createPrivateKey({ key, format: "jwk" });
      const publicKey = createPublicKey(privateKey);
      if (!isKeyPair(privateKey, publicKey)) throw new Error("the private half does not belong to the public half");
      const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? rsaBits.least;
      if (bits < rsaBits.least || bits > rsaBits.most) throw new Error("the RSA key is too short or too long");
      return { kid: key.kid, algorithm: key.kty === "RSA" ? "RS256" : "ES256", privateKey, publicKey };
    });
  } catch {
    // The parser's message is dropped, because it may quote the key.
    context.addIssue({
      code: "custom",
      message:
        'must be a private JWK set {"keys": […]} of EC P-256 keys, or RSA keys of 2048 to 4096 bits, each with its own kid',
    });
    return z.NEVER;
  }
}

interface Variables {
  JWT_KEYS?: readonly SigningKey[];
  KEY_ENCRYPTION_KEY?: readonly Buffer[] | undefined;
}

/** Makes a schema refuse an environment with neither JWT_KEYS nor the key that opens those of the database. */
export const requireSigningKeys = <Schema extends z.ZodType<Variables>>(schema: Schema): Schema =>
  schema.refine(
    ({ JWT_KEYS, KEY_ENCRYPTION_KEY }) => JWT_KEYS?.length !== 0 || KEY_ENCRYPTION_KEY !== undefined,
    // config/environment.ts describes what is missing.
    { path: ["JWT_KEYS"], error: "is missing", when: () => true },
  );

/** OpenSSL accepts a private and a public half of different keys, and then every signed token would be invalid. */
function isKeyPair(privateKey: KeyObject, publicKey: KeyObject): boolean {
  const text = Buffer.from("any text");
  return verify("sha256", text, publicKey, sign("sha256", text, privateKey));
}

/** Creates a value of JWT_KEYS with one new key. */
export function createSigningKeys(algorithm: SigningAlgorithm = "ES256"): string {
  const { privateKey } =
    algorithm === "RS256"
      ? generateKeyPairSync("rsa", { modulusLength: rsaBits.least })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  return JSON.stringify({ keys: [{ ...privateKey.export({ format: "jwk" }), kid: randomUUID() }] });
}
