import type { IncomingMessage } from "node:http";

const longestUserAgent = 256;

/**
 * The header User-Agent as a session keeps it: free text of the client, without control characters, cut; null without
 * one.
 */
export const userAgent = (request: IncomingMessage): string | null =>
  request.headers["user-agent"]
    ?.replace(/\p{Cc}/gu, "")
    .trim()
    .slice(0, longestUserAgent) || null;
