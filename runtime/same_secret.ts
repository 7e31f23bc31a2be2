import { hash, timingSafeEqual } from "node:crypto";

/** Hashed first, so that neither time nor an exception tells where or whether the lengths differ. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(a), digest(b));
}
