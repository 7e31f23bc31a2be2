import type { RequestHandler } from "express";
import type { Duplex } from "node:stream";
import { errorBody } from "./rest/envelope.ts";
import { Problem } from "./rest/errors.ts";

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

/** RFC 9112 section 3.2: a request of HTTP/1.1 without a Host is malformed. */
export const requireHost: RequestHandler = (request, _response, next) => {
  if (request.headers.host === undefined && request.httpVersion !== "1.0")
    throw new Problem("INVALID_REQUEST", { reason: "malformed" });
  next();
};
