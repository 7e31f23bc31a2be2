import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import type { SigningKey } from "../../config/secrets/signing_keys.ts";

/** Creates a private JWK in the form that JWT_KEYS contains. */
export function createJwk(kid: string, namedCurve = "P-256"): Record<string, unknown> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve });
  return { ...privateKey.export({ format: "jwk" }), kid };
}

export function createSigningKey(kid: string): SigningKey {
  const privateKey = createPrivateKey({ key: createJwk(kid), format: "jwk" });
  return { kid, algorithm: "ES256", privateKey, publicKey: createPublicKey(privateKey) };
}
