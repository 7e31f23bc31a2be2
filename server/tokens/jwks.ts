import type { RequestHandler } from "express";
import type { SigningKey } from "../../config/signing_keys.ts";

/** GET /.well-known/jwks.json: the public half of every live key (RFC 7517), by which anybody verifies our tokens. */
export function sendKeySet(signingKeys: SigningKey[]): RequestHandler {
  const keys = signingKeys.map(({ kid, publicKey }) => ({
    ...publicKey.export({ format: "jwk" }),
    kid,
    use: "sig",
    alg: "ES256",
  }));
  const body = JSON.stringify({ keys });
  return (_request, response) => {
    response.setHeader("Cache-Control", "public, max-age=300");
    response.setHeader("Content-Type", "application/json; charset=utf-8");
    response.setHeader("Content-Length", Buffer.byteLength(body));
    // Not response.json(), which would answer 304 to "If-None-Match: *".
    response.end(body);
  };
}
