import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { endUnread, hasValidHost } from "./malformed.ts";
import { graphqlPath } from "./paths.ts";
import { Problem } from "./problem.ts";

/** Whether to accept the upgrade of a request. RFC 9110, section 7.8, lets a server ignore any other. */
export const isSocketRequest = (request: IncomingMessage): boolean =>
  request.method === "GET" &&
  request.url?.split("?", 1)[0] === graphqlPath &&
  request.headers.upgrade?.toLowerCase() === "websocket" &&
  // A request without a valid Host gets the response to a malformed request.
  hasValidHost(request);

/**
 * Sends 503 and destroys the connection: node:http's time-outs no longer apply to it, so a client could keep it half
 * open.
 */
export function refuseUpgrade(socket: Duplex): void {
  const { status, headers } = new Problem("SERVICE_UNAVAILABLE");
  const lines = Object.entries({ Connection: "close", "Content-Length": "0", ...headers });
  socket.once("finish", () => socket.destroy());
  endUnread(socket);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
  );
}
