import type { RequestHandler } from "express";
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { longestStallMs } from "./bounded_connections.ts";
import { errorBody } from "./envelope.ts";
import { parserStatusLine } from "./failures.ts";
import { Problem } from "./problem.ts";

/** Answers bytes that node:http could not parse, so that Express never sees them, in the shape of every error. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  endUnread(socket);
  const body = JSON.stringify(errorBody(new Problem("INVALID_REQUEST", { reason: "malformed" }), "", ""));
  socket.end(
    `HTTP/1.1 ${parserStatusLine(error.code)}\r\nX-Request-Id: ${randomUUID()}\r\nCache-Control: no-store\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/**
 * Ends a connection whose last answer is not read: no other time-out applies to one that is answered outside of
 * node:http.
 */
export function endUnread(socket: Duplex): void {
  if (socket instanceof Socket) socket.setTimeout(longestStallMs, () => socket.destroy());
}

const hostSyntax = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/i;

/**
 * RFC 9112 section 3.2: a request has one Host of valid syntax; HTTP/1.0 may leave it out. With two, a proxy could
 * route by one while this server answers for the other.
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
