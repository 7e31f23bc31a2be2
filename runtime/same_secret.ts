import { hash, timingSafeEqual } from "node:crypto";

const digest = (text: string): Buffer => hash("sha256", text, "buffer");

/**
 * Compares two secrets in constant time. They are hashed first: timingSafeEqual throws for different lengths, which
 * would reveal the length.
 */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

/**
 * Returns a function that finds the holder of a secret. It compares with all of them, whichever matches, so that the
 * time tells neither which one did nor how many share a beginning with it.
 */
export function createSecretSearch<Holder extends { secret: string }>(
  holders: readonly Holder[],
): (secret: string) => Holder | undefined {
  const digests = holders.map((holder) => ({ holder, digest: digest(holder.secret) }));
  return (secret) => {
    const sought = digest(secret);
    const isEqual = digests.map((candidate) => timingSafeEqual(candidate.digest, sought));
    return digests[isEqual.indexOf(true)]?.holder;
  };
}
