import { createServer, type AddressInfo } from "node:net";
import { HOST } from "./connection_urls.ts";

/** Returns a port that is free now. Another process may take it before the caller does: handle EADDRINUSE. */
export async function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, HOST, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}
