import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/**
 * Header of BackendKeyData in PostgreSQL's protocol 3.0: message type and length. The next 4 bytes are the backend's
 * process id.
 */
const backendKeyData = Buffer.from("K\0\0\0\x0c");

/**
 * Starts a TCP proxy that reports a wrong backend process id at login, as a transaction pooler does. One database at a
 * time: the URL of the last call of `through`.
 */
export async function startFakePooler(): Promise<{
  /** Returns the URL with the proxy's host and port. */
  through: (url: string) => string;
  stop: () => Promise<void>;
}> {
  let target = "";
  const sockets = new Set<Socket>();
  const server = createServer((clientSocket) => {
    const { hostname, port } = new URL(target);
    const databaseSocket = connect(Number(port), hostname);
    for (const socket of [clientSocket, databaseSocket]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    clientSocket.on("close", () => databaseSocket.destroy());
    databaseSocket.on("close", () => clientSocket.destroy());
    clientSocket.pipe(databaseSocket);
    let isReplaced = false;
    databaseSocket.on("data", (chunk: Buffer) => {
      const index = isReplaced ? -1 : chunk.indexOf(backendKeyData);
      if (index >= 0) {
        const pidOffset = index + backendKeyData.length;
        chunk.writeInt32BE(chunk.readInt32BE(pidOffset) + 1, pidOffset);
        isReplaced = true;
      }
      clientSocket.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    through(url) {
      target = url;
      const proxyUrl = new URL(url);
      proxyUrl.hostname = "127.0.0.1";
      proxyUrl.port = String(port);
      return proxyUrl.href;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
