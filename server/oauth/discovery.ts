import type { ServerConfig } from "../../config/config.ts";
import type { SigningKey } from "../../config/secrets/signing_keys.ts";
import { introspectionPath, jwksPath, revocationPath } from "../../http/paths.ts";

/** The claims of access tokens, those of people alone included (server/tokens/tokens.ts). */
const claims = "iss sub aud exp iat jti sid role user_type token_use client_id amr auth_time".split(" ");

/**
 * What this issuer offers (RFC 8414 section 2, OpenID Connect Discovery 1.0 section 3), and nothing that it does not:
 * resource servers find the keys, the algorithms and the two endpoints by it. It issues no ID token and takes no part
 * in OAuth's grants, so there is no authorization or token endpoint.
 */
export function discoveryDocument(
  { JWT_ISSUER, CLAIMS_ROLE, RESOURCE_SERVERS }: ServerConfig,
  keys: readonly SigningKey[],
): object {
  // Below the issuer's path, which a proxy removes.
  const at = (path: string) => JWT_ISSUER.replace(/\/$/, "") + path;
  const algorithms = [...new Set(keys.map(({ algorithm }) => algorithm))];
  const methods = ["client_secret_basic"];
  return {
    issuer: JWT_ISSUER,
    jwks_uri: at(jwksPath),
    // Required members, of which there is nothing.
    response_types_supported: [],
    grant_types_supported: [],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: algorithms,
    claims_supported: [...new Set([...claims, CLAIMS_ROLE])],
    ...(RESOURCE_SERVERS.length > 0 && {
      introspection_endpoint: at(introspectionPath),
      introspection_endpoint_auth_methods_supported: methods,
      revocation_endpoint: at(revocationPath),
      revocation_endpoint_auth_methods_supported: methods,
    }),
  };
}
