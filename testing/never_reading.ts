import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface RawSocket {
  socket: Socket;
  /** What the server answered to the handshake: status line and headers. */
  answer: string;
  /** Sends one masked frame; resolves once the kernel has taken it, or the connection is gone. */
  send: (opcode: "text" | "ping" | "pong" | "close", payload: string) => Promise<void>;
  /** Resolves once the server has ended the connection. Reads nothing meanwhile, unless it was told to. */
  closed: Promise<void>;
}

const opcodes = { text: 0x1, close: 0x8, ping: 0x9, pong: 0xa };

/** A WebSocket whose peer reads the handshake's answer and then nothing, which no client library would do. */
export async function openRawSocket(url: string, headers: Record<string, string> = {}): Promise<RawSocket> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const closed = new Promise<void>((resolve) => {
    socket.on("error", () => resolve());
    socket.on("close", () => resolve());
  });
  await once(socket, "connect");
  const lines = Object.entries({
    host: `${hostname}:${port}`,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": randomBytes(16).toString("base64"),
    "sec-websocket-protocol": "graphql-transport-ws",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${pathname} HTTP/1.1\r\n${lines.join("")}\r\n`);
  const [answer] = (await Promise.race([once(socket, "data"), closed.then(() => [Buffer.alloc(0)])])) as [
    Buffer,
  ];
  socket.pause();
  return {
    socket,
    answer: answer.toString(),
    closed,
    async send(opcode, payload) {
      if (socket.destroyed) return;
      const sent = new Promise<void>((resolve) =>
        socket.write(frame(opcodes[opcode], payload), () => resolve()),
      );
      await Promise.race([sent, closed]);
    },
  };
}

/** RFC 6455 section 5.2, with a mask of zeros. */
function frame(opcode: number, payload: string): Buffer {
  const body = Buffer.from(payload);
  const length =
    body.length < 126
      ? Buffer.from([0x80 | body.length])
      : Buffer.from([0x80 | 126, body.length >> 8, body.length & 0xff]);
  return Buffer.concat([Buffer.from([0x80 | opcode]), length, Buffer.alloc(4), body]);
}
