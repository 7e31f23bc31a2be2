import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import type { SigningKey } from "../config/signing_keys.ts";

/** A new private JWK, as JWT_KEYS holds them. */
export function makeJwk(kid: string, namedCurve = "P-256"): Record<string, unknown> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve });
  return { ...privateKey.export({ format: "jwk" }), kid };
}

export function makeSigningKey(kid: string): SigningKey {
  const privateKey = createPrivateKey({ key: makeJwk(kid), format: "jwk" });
  return { kid, privateKey, publicKey: createPublicKey(privateKey) };
}
