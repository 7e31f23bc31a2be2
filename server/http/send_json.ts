import type { ServerResponse } from "node:http";

/**
 * Answers with JSON. Express's json() looks besides for what our answers never have (an ETag, another character set), for as
 * much time as it takes to find the route.
 */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  mediaType = "application/json",
): void {
  sendText(response, status, JSON.stringify(body), mediaType);
}

/** Answers with what is JSON already. */
export function sendText(response: ServerResponse, status: number, text: string, mediaType: string): void {
  response.statusCode = status;
  response.setHeader("Content-Type", `${mediaType}; charset=utf-8`);
  response.setHeader("Content-Length", Buffer.byteLength(text));
  response.end(text);
}
