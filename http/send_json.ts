import type { ServerResponse } from "node:http";
import { createPlaces } from "./places.ts";
import { contextOf } from "./request_context.ts";

const pieceBytes = 65_536;

/** Bytes of the long answers that clients have not read yet: each is the copy of one client. */
const longAnswers = createPlaces({ perAddress: 33_554_432, total: 134_217_728, evicts: "oldest" });

/** Sends a JSON response with its length. */
export function sendJson(response: ServerResponse, status: number, body: object, mediaType = "application/json"): void {
  sendText(response, status, JSON.stringify(body), mediaType);
}

/** Sends text that is JSON already. */
export function sendText(response: ServerResponse, status: number, text: string, mediaType: string): void {
  response.statusCode = status;
  response.setHeader("Content-Type", `${mediaType}; charset=utf-8`);
  if (text.length <= pieceBytes) {
    response.setHeader("Content-Length", Buffer.byteLength(text));
    response.end(text);
    return;
  }
  const content = Buffer.from(text);
  const leave = longAnswers.enter(contextOf(response.req).client, () => response.destroy(), content.length);
  response.once("close", leave);
  sendBytes(response, content);
}

/**
 * Sends a long content in pieces, each when the client has read the one before: so that http/bounded_connections.ts
 * sees its progress.
 */
export function sendBytes(response: ServerResponse, content: Buffer): void {
  response.setHeader("Content-Length", content.length);
  const sendFrom = (start: number): void => {
    const end = start + pieceBytes;
    if (end >= content.length) response.end(content.subarray(start));
    else if (response.write(content.subarray(start, end))) sendFrom(end);
    else response.once("drain", () => sendFrom(end));
  };
  sendFrom(0);
}
