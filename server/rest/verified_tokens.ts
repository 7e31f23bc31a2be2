import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Claims, Verified } from "./tokens.ts";

const maxRemembered = 5_000;

/**
 * Verifies a token once: an ES256 verification costs more than everything else that authorises a GraphQL request. What is
 * remembered is that the signature is ours, by the token's digest and until its end; whether its session still lives
 * the database is asked each time. A token that was refused is not remembered: whoever has no token has endless wrong ones.
 */
export function rememberVerified(verify: (token: string) => Verified): (token: string) => Verified {
  const remembered = new LRUCache<string, Claims>({ max: maxRemembered });
  return (token) => {
    const digest = createHash("sha256").update(token).digest("base64");
    const known = remembered.get(digest);
    if (known && known.exp * 1000 > Date.now()) return { claims: known };
    const verified = verify(token);
    if ("claims" in verified) remembered.set(digest, verified.claims);
    return verified;
  };
}
