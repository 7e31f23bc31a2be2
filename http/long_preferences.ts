import type { IncomingMessage } from "node:http";

/** Characters of a header of preferences: ten times what browsers send. */
const longest = 1_024;

/**
 * Shortens a header that says what a client prefers, before it is read: negotiation takes time in proportion to its
 * entries, several times per request, and 16 KB took milliseconds before anything was counted. Entries beyond the bound
 * are ignored (RFC 9110, section 12.5, lets a server ignore all of them).
 */
export function shortenPreferences(
  { headers }: IncomingMessage,
  name: "accept" | "accept-encoding" | "accept-language",
): void {
  const value = headers[name];
  if (typeof value !== "string" || value.length <= longest) return;
  // Without a comma it is one entry that nothing offers.
  headers[name] = value.slice(0, Math.max(0, value.lastIndexOf(",", longest)));
}
