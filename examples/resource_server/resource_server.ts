import { createServer } from "node:http";
import { createRemoteJWKSet, errors, jwtVerify } from "jose";

/**
 * A service of your own that only users may call: it verifies access tokens by Latchkey's public keys, without a
 * request to Latchkey for each of its own. A revoked session is noticed when its access token expires; ask the
 * authorization webhook where that is too late.
 *
 * LATCHKEY_URL=http://localhost:3000 PORT=4000 node examples/resource_server/resource_server.ts
 */
const { LATCHKEY_URL = "http://localhost:3000", PORT = "4000" } = process.env;
const keys = createRemoteJWKSet(new URL("/.well-known/jwks.json", LATCHKEY_URL));

/** The user's id. @throws an error of jose when the token is not one of Latchkey's for a user, or expired */
async function userOf(authorization = ""): Promise<string> {
  const { payload } = await jwtVerify(authorization.replace(/^Bearer /, ""), keys, {
    issuer: "latchkey",
    audience: "latchkey-api",
    typ: "at+jwt",
    algorithms: ["ES256"],
    requiredClaims: ["exp", "sid"],
  });
  const { sub, role } = payload;
  if (sub === undefined || role !== "user")
    throw new errors.JWTClaimValidationFailed("guests have no orders", payload, "role");
  return sub;
}

const server = createServer((request, response) => {
  userOf(request.headers.authorization).then(
    (userId) => response.end(JSON.stringify({ orders: [], userId })),
    (error: unknown) => {
      // Whatever jose refuses is the caller's fault; keys that cannot be fetched are not.
      const isRefused = error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout);
      response.writeHead(isRefused ? 401 : 503, isRefused ? { "www-authenticate": "Bearer" } : {}).end();
    },
  );
});
server.listen(Number(PORT), () => {
  console.log(`http://localhost:${(server.address() as { port: number }).port}/`);
});
