import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Of PostgreSQL's protocol 3.0: BackendKeyData, 12 bytes long, whose next four are the backend's process id. */
const backendKeyData = Buffer.from("K\0\0\0\x0c");

/** Stands before a database and says at log-in another process id than the backend's, as a transaction pooler does. */
export async function startForeignBackends(): Promise<{
  /** The same address, by way of it. */
  through: (url: string) => string;
  stop: () => Promise<void>;
}> {
  let target = "";
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const { hostname, port } = new URL(target);
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
    near.pipe(far);
    let named = false;
    far.on("data", (chunk: Buffer) => {
      const at = named ? -1 : chunk.indexOf(backendKeyData);
      if (at >= 0) {
        const pid = at + backendKeyData.length;
        chunk.writeInt32BE(chunk.readInt32BE(pid) + 1, pid);
        named = true;
      }
      near.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    through(url) {
      target = url;
      const changed = new URL(url);
      changed.hostname = "127.0.0.1";
      changed.port = String(port);
      return changed.href;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
