import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface TcpProxy {
  /** The same address, by way of the proxy. */
  through: (url: string) => string;
  /** Drops every connection and takes no new one, as a database that is away. */
  cut: () => Promise<void>;
  /** All that was sent to the database, passwords of log-ins not among it: those are never sent. */
  sent: () => string;
  restore: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Stands between a process and its database, so that a test can take the database away. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const chunks: Buffer[] = [];
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    near.on("data", (chunk) => chunks.push(chunk));
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
    near.pipe(far).pipe(near);
  });
  const listen = (on: number) => new Promise<void>((resolve) => server.listen(on, "127.0.0.1", resolve));
  await listen(0);
  const own = (server.address() as AddressInfo).port;
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    through(url) {
      const changed = new URL(url);
      changed.hostname = "127.0.0.1";
      changed.port = String(own);
      return changed.href;
    },
    cut,
    sent: () => Buffer.concat(chunks).toString("utf8"),
    restore: () => listen(own),
    stop: () => (server.listening ? cut() : Promise.resolve()),
  };
}
