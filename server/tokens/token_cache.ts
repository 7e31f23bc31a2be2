import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { SigningKey } from "../../config/secrets/signing_keys.ts";
import type { Claims, Verified } from "./claims.ts";
import type { LiveKeys } from "./live_keys.ts";

const maxTokens = 5_000;
const noKeys: readonly SigningKey[] = [];

/**
 * Caches verified access tokens, because an ES256 verification costs more CPU than the rest of authorizing a GraphQL
 * request. The cache holds only that a signature is ours, by the token's digest; each request asks the database whether
 * the session is live. Refused tokens are not cached: an attacker could fill the cache with them.
 */
export function cacheTokens(
  verify: (token: string) => Verified,
  keys: LiveKeys = () => noKeys,
): (token: string) => Verified {
  const cache = new LRUCache<string, Claims>({ max: maxTokens });
  let verifiedBy = keys();
  return (token) => {
    // A token of a key that was retired, as one that has leaked, is not valid any more.
    if (verifiedBy !== keys()) {
      cache.clear();
      verifiedBy = keys();
    }
    const digest = hash("sha256", token, "base64");
    const claims = cache.get(digest);
    if (claims && claims.exp * 1000 > Date.now()) return { claims };
    const verified = verify(token);
    if ("claims" in verified) cache.set(digest, verified.claims);
    return verified;
  };
}
