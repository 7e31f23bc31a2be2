import { hash, timingSafeEqual } from "node:crypto";

/**
 * Compares two secrets in constant time. They are hashed first: timingSafeEqual throws for different lengths, which
 * would reveal the length.
 */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(a), digest(b));
}
