import type { RequestHandler } from "express";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { errorBody } from "./envelope.ts";
import { Problem } from "./problem.ts";

const statusLines: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** What is not HTTP never becomes a request; its answer has the specified error shape all the same. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(errorBody(new Problem("INVALID_REQUEST", { reason: "malformed" }), "", ""));
  socket.end(
    `HTTP/1.1 ${statusLines[error.code ?? ""] ?? "400 Bad Request"}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const hostSyntax = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/i;

/**
 * RFC 9112 section 3.2: a request has one Host of valid syntax, or is of HTTP/1.0 and has none. Two would let a proxy
 * route by one and this server answer for the other.
 */
export function hasValidHost({ httpVersion, headers: { host }, rawHeaders }: IncomingMessage): boolean {
  if (host === undefined) return httpVersion === "1.0";
  let lines = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") lines++;
  }
  return lines === 1 && hostSyntax.test(host);
}

export const requireHost: RequestHandler = (request, _response, next) => {
  if (!hasValidHost(request)) throw new Problem("INVALID_REQUEST", { reason: "malformed" });
  next();
};
