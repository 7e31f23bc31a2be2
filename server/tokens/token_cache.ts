import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Claims, Verified } from "./claims.ts";

/** Tokens in each of the two caches. */
const maxTokens = 5_000;

export interface TokenCache {
  /** Returns a cached token's claims until it expires; verifies the signature of any other token. */
  verify: (token: string) => Verified;
  /** Caches a token that this process has signed: it need not verify its own signature. */
  add: (token: string, claims: Claims) => void;
}

/**
 * Caches verified tokens, because an ES256 verification costs more CPU than the rest of authorizing a GraphQL request. The cache
 * holds only that a signature is ours, by the token's digest; each request asks the database whether
 * the session is live.
 * Refused tokens are not cached: an attacker could fill the cache with them.
 */
export function createTokenCache(verify: (token: string) => Verified): TokenCache {
  const used = new LRUCache<string, Claims>({ max: maxTokens });
  // A second cache, so that sessions which are opened and never used cannot evict a token that is in use.
  const signed = new LRUCache<string, Claims>({ max: maxTokens });
  return {
    add: (token, claims) => void signed.set(digestOf(token), claims),
    verify(token) {
      const digest = digestOf(token);
      const claims = used.get(digest) ?? signed.get(digest);
      const verified = claims && claims.exp * 1000 > Date.now() ? { claims } : verify(token);
      if ("claims" in verified) used.set(digest, verified.claims);
      return verified;
    },
  };
}

const digestOf = (token: string): string => hash("sha256", token, "base64");
