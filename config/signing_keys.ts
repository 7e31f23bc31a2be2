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

export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

const jwkSet = z.object({
  keys: z
    .array(
      z.looseObject({
        kty: z.literal("EC"),
        crv: z.literal("P-256"),
        kid: z.string().min(1),
        x: z.string(),
        y: z.string(),
        d: z.string(),
      }),
    )
    .min(1),
});

/**
 * Parses JWT_KEYS, a private JWK set (RFC 7517) of P-256 keys: the first signs, all verify. Key objects are created
 * here once, because jsonwebtoken is several times slower with any other form of key.
 */
export function parseSigningKeys(text: string, context: z.RefinementCtx): SigningKey[] {
  try {
    const { keys } = jwkSet.parse(JSON.parse(text));
    if (new Set(keys.map((key) => key.kid)).size < keys.length) throw new Error("two keys share a kid");
    return keys.map((key) => {
      const privateKey = createPrivateKey({ key: key, format: "jwk" });
      const publicKey = createPublicKey(privateKey);
      if (!isKeyPair(privateKey, publicKey)) throw new Error("d does not belong to x and y");
      return { kid: key.kid, privateKey, publicKey };
    });
  } catch {
    // The parser's message is dropped, because it may quote the key.
    context.addIssue({
      code: "custom",
      message: 'must be a private JWK set {"keys": […]} of EC P-256 keys, each with its own kid',
    });
    return z.NEVER;
  }
}

/** OpenSSL accepts a private and a public half of different keys, and then every signed token would be invalid. */
function isKeyPair(privateKey: KeyObject, publicKey: KeyObject): boolean {
  const text = Buffer.from("any text");
  return verify("sha256", text, publicKey, sign("sha256", text, privateKey));
}

/** Creates a value of JWT_KEYS with one new key. */
export function createSigningKeys(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return JSON.stringify({ keys: [{ ...privateKey.export({ format: "jwk" }), kid: randomUUID() }] });
}
