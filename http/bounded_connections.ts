import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests of a connection that may wait for the answers to earlier ones. */
const mostWaiting = 16;
/** Header lines of all of them: a request of an ordinary client has twenty. */
const mostHeaders = 512;
export const longestStallMs = 30_000;

/** A connection with a request under way. */
interface Connection {
  socket: Socket;
  response: ServerResponse;
  /** Requests that were sent before the answer to an earlier one (pipelining), in their order. */
  waiting: [IncomingMessage, ServerResponse][];
  isPaused: boolean;
  /** What the client's system has taken, and since when it takes no more. */
  taken: number;
  takenAt: number;
}

export interface Connections {
  /** Wraps a listener: it gets one request of a connection at a time. */
  bound: (listener: RequestListener) => RequestListener;
  stop: () => void;
}

const headersOf = ({ waiting }: Connection, next: IncomingMessage): number =>
  waiting.reduce((sum, [{ rawHeaders }]) => sum + rawHeaders.length / 2, next.rawHeaders.length / 2);

/**
 * Keeps node:http from parsing what it has read of a connection that has ended: up to 2,600 requests, each aborted with
 * an error of its own. Its parser stops where this member, which is not documented, answers that the connection leaves
 * HTTP; a Node without it parses on.
 */
function stopParsing(socket: Socket & { parser?: { onIncoming: () => number } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => 2;
}

/**
 * Bounds what a connection holds. node:http takes requests as fast as they are sent, and keeps their answers until the
 * client reads them, however long that takes: here a connection has one answer at a time, reading stops while requests
 * wait, one with too many of them is ended, and so is one that does not read its answer.
 */
export function boundConnections(stallMs = longestStallMs): Connections {
  const bySocket = new Map<Socket, Connection>();

  const endStalled = setInterval(() => {
    const now = performance.now();
    for (const connection of bySocket.values()) {
      const { socket, response, taken, takenAt } = connection;
      const nowTaken = socket.bytesWritten - socket.writableLength;
      if (!response.headersSent || nowTaken !== taken) Object.assign(connection, { taken: nowTaken, takenAt: now });
      else if (now - takenAt >= stallMs) socket.destroy();
    }
  }, stallMs / 10).unref();

  function begin(connection: Connection, listener: RequestListener, request: IncomingMessage): void {
    const { socket, response, waiting } = connection;
    connection.takenAt = performance.now();
    response.once("close", () => {
      const next = socket.writable ? waiting.shift() : undefined;
      if (waiting.length === 0 && connection.isPaused) {
        connection.isPaused = false;
        socket.resume();
      }
      if (!next) {
        bySocket.delete(socket);
        return;
      }
      connection.response = next[1];
      begin(connection, listener, next[0]);
    });
    listener(request, response);
  }

  return {
    bound: (listener) => (request, response) => {
      const { socket } = request;
      const connection = bySocket.get(socket);
      if (!connection) {
        const first = { socket, response, waiting: [], isPaused: false, taken: -1, takenAt: 0 };
        bySocket.set(socket, first);
        begin(first, listener, request);
      } else if (connection.waiting.length === mostWaiting || headersOf(connection, request) > mostHeaders) {
        // Even requests that nobody answers take memory while their connection lives. A client may repeat them (RFC
        // 9112, section 9.3.2).
        socket.destroy();
        stopParsing(socket);
      } else {
        connection.waiting.push([request, response]);
        // Not at once: at the end of the message node:http itself goes on reading.
        setImmediate(() => {
          if (connection.waiting.length === 0) return;
          connection.isPaused = true;
          socket.pause();
        });
      }
    },
    stop: () => clearInterval(endStalled),
  };
}
