import { validateHeaderName, validateHeaderValue, type IncomingHttpHeaders } from "node:http";

/** Headers about the connection and body of the original request, which the webhook request does not share. */
const ownHeaders = new Set([
  "connection",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
  "host",
  "origin",
  "accept",
  "accept-encoding",
  "accept-language",
  "user-agent",
  "content-length",
  "content-type",
  "content-encoding",
  "cache-control",
  "sec-websocket-key",
  "sec-websocket-version",
  "sec-websocket-protocol",
  "sec-websocket-extensions",
]);

/**
 * The caller's headers for the webhook; undefined if one is not a valid header, which only a connection_init payload
 * can hold.
 */
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
