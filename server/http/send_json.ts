import type { ServerResponse } from "node:http";

/** Sends a JSON response with its length. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  mediaType = "application/json",
): void {
  sendText(response, status, JSON.stringify(body), mediaType);
}

/** Sends text that is JSON already. */
export function sendText(response: ServerResponse, status: number, text: string, mediaType: string): void {
  response.statusCode = status;
  response.setHeader("Content-Type", `${mediaType}; charset=utf-8`);
  response.setHeader("Content-Length", Buffer.byteLength(text));
  response.end(text);
}
