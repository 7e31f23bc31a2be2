import type { SigningKey } from "../../config/secrets/signing_keys.ts";

/** The public half of every live key (RFC 7517), by which anybody verifies our tokens. */
export const keySet = (signingKeys: readonly SigningKey[]): object => ({
  keys: signingKeys.map(({ kid, algorithm, publicKey }) => ({
    ...publicKey.export({ format: "jwk" }),
    kid,
    use: "sig",
    alg: algorithm,
  })),
});
