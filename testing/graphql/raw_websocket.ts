import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface RawWebSocket {
  socket: Socket;
  /** The server's response to the handshake: status line and headers. */
  answer: string;
  /** Sends one masked frame. Resolves once the kernel has accepted it, or the connection is closed. */
  send: (opcode: "text" | "ping" | "pong" | "close", payload: string) => Promise<void>;
  /** Resolves once the connection is closed. Waiting for it reads nothing from the socket. */
  closed: Promise<void>;
}

const opcodes = { text: 0x1, close: 0x8, ping: 0x9, pong: 0xa };

/**
 * Opens a WebSocket and stops reading after the handshake: the server's messages fill its send buffer. No client
 * library behaves like this, so the frames are written by hand.
 */
export async function openRawWebSocket(url: string, headers: Record<string, string> = {}): Promise<RawWebSocket> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const closed = new Promise<void>((resolve) => {
    socket.on("error", () => resolve());
    socket.on("close", () => resolve());
  });
  await once(socket, "connect");
  const headerLines = Object.entries({
    host: `${hostname}:${port}`,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": randomBytes(16).toString("base64"),
    "sec-websocket-protocol": "graphql-transport-ws",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${pathname} HTTP/1.1\r\n${headerLines.join("")}\r\n`);
  const [answer] = (await Promise.race([once(socket, "data"), closed.then(() => [Buffer.alloc(0)])])) as [Buffer];
  socket.pause();
  return {
    socket,
    answer: answer.toString(),
    closed,
    async send(opcode, payload) {
      if (socket.destroyed) return;
      const written = new Promise<void>((resolve) =>
        socket.write(encodeFrame(opcodes[opcode], payload), () => resolve()),
      );
      await Promise.race([written, closed]);
    },
  };
}

/** Encodes a frame as in RFC 6455 section 5.2, with a mask of zeros. */
function encodeFrame(opcode: number, payload: string): Buffer {
  const body = Buffer.from(payload);
  const length =
    body.length < 126
      ? Buffer.from([0x80 | body.length])
      : Buffer.from([0x80 | 126, body.length >> 8, body.length & 0xff]);
  return Buffer.concat([Buffer.from([0x80 | opcode]), length, Buffer.alloc(4), body]);
}
