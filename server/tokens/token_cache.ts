import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Claims, Verified } from "./claims.ts";

const maxKnown = 5_000;

export interface KnownTokens {
  /** The claims of a token that is known; whether any other is ours, its signature tells. */
  verify: (token: string) => Verified;
  /** A token that this process has signed: it need not verify its own signature. */
  learn: (token: string, claims: Claims) => void;
}

/**
 * Verifies a token once, and one signed here not at all: an ES256 verification costs more than everything else that
 * authorizes a GraphQL request. What is known is that the signature is ours, by the token's digest and until its end;
 * whether its session still lives the database is asked each time. A token that was refused is not kept: whoever has no
 * token has endless wrong ones.
 */
export function knowTokens(verify: (token: string) => Verified): KnownTokens {
  const presented = new LRUCache<string, Claims>({ max: maxKnown });
  // Apart from those in use: whoever opens sessions that nobody uses pushes out nothing but these.
  const signed = new LRUCache<string, Claims>({ max: maxKnown });
  return {
    learn: (token, claims) => void signed.set(digest(token), claims),
    verify(token) {
      const id = digest(token);
      const claims = presented.get(id) ?? signed.get(id);
      const verified = claims && claims.exp * 1000 > Date.now() ? { claims } : verify(token);
      if ("claims" in verified) presented.set(id, verified.claims);
      return verified;
    },
  };
}

const digest = (token: string): string => hash("sha256", token, "base64");
