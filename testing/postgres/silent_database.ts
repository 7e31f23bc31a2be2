import { createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface SilentDatabase {
  url: string;
  /** Resolves once a client has sent something that stays unanswered. */
  untilUnanswered: Promise<void>;
}

/** AuthenticationOk and ReadyForQuery of PostgreSQL's protocol. */
const accepted = Buffer.from("R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I", "latin1");

/**
 * Starts a server that accepts connections as PostgreSQL does and answers at most the login. It is stopped when the
 * test ends.
 */
export async function startSilentDatabase({ acceptsLogin }: { acceptsLogin: boolean }): Promise<SilentDatabase> {
  const sockets = new Set<Socket>();
  const { promise: untilUnanswered, resolve } = Promise.withResolvers<undefined>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    if (acceptsLogin) socket.once("data", () => socket.write(accepted));
    let messages = 0;
    socket.on("data", () => {
      if (++messages > Number(acceptsLogin)) resolve(undefined);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://latchkey_worker:secret@127.0.0.1:${port}/latchkey`, untilUnanswered };
}
