import { validateHeaderName, validateHeaderValue, type IncomingHttpHeaders } from "node:http";

/** What is about the request's own connection and body, of which the webhook's request has neither. */
const ownHeaders = new Set([
  ...[
    "connection",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
  ],
  ...["upgrade", "expect", "host", "origin", "accept", "accept-encoding", "accept-language", "user-agent"],
  ...["content-length", "content-type", "content-encoding", "cache-control"],
  ...["sec-websocket-key", "sec-websocket-version", "sec-websocket-protocol", "sec-websocket-extensions"],
]);

/** The caller's headers as the webhook gets them; undefined where one is no header, which only a socket can send. */
export function forwardedHeaders(headers: IncomingHttpHeaders): Record<string, string> | undefined {
  const forwarded: Record<string, string> = {};
  try {
    for (const [name, value] of Object.entries(headers)) {
      if (value === undefined || ownHeaders.has(name)) continue;
      const text = String(value);
      validateHeaderName(name);
      validateHeaderValue(name, text);
      forwarded[name] = text;
    }
  } catch {
    return undefined;
  }
  return forwarded;
}
