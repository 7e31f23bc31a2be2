import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface TcpProxy {
  /** Returns the URL with the proxy's host and port. */
  through: (url: string) => string;
  /**
   * Closes every connection, and new ones at once: the database is unreachable. It keeps its port, which another
   * process could take.
   */
  cut: () => Promise<void>;
  /** Stops forwarding on the open connections without closing them: the database is silent. */
  silence: () => void;
  /** Forwards new connections again. */
  restore: () => Promise<void>;
  /** All bytes that clients sent to the database, as text. SCRAM logins contain no passwords. */
  sent: () => string;
  stop: () => Promise<void>;
}

/**
 * Starts a proxy in front of a database, so that a test can make the database unreachable.
 * @param target URL whose host and port receive the connections
 */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const chunks: Buffer[] = [];
  let isCut = false;
  const server = createServer((clientSocket) => {
    if (isCut) {
      clientSocket.resetAndDestroy();
      return;
    }
    const databaseSocket = connect(Number(port), hostname);
    for (const socket of [clientSocket, databaseSocket]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    clientSocket.on("data", (chunk) => chunks.push(chunk));
    clientSocket.on("close", () => databaseSocket.destroy());
    databaseSocket.on("close", () => clientSocket.destroy());
    clientSocket.pipe(databaseSocket).pipe(clientSocket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxyPort = (server.address() as AddressInfo).port;
  const cut = async () => {
    isCut = true;
    const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
  };
  const silence = () => {
    for (const socket of sockets) {
      socket.unpipe();
      socket.resume();
    }
  };
  return {
    silence,
    through(url) {
      const proxyUrl = new URL(url);
      proxyUrl.hostname = "127.0.0.1";
      proxyUrl.port = String(proxyPort);
      return proxyUrl.href;
    },
    cut,
    restore() {
      isCut = false;
      return Promise.resolve();
    },
    sent: () => Buffer.concat(chunks).toString("utf8"),
    async stop() {
      await cut();
      server.close();
    },
  };
}
