import { createServer, type AddressInfo } from "node:net";
import { HOST } from "./urls.ts";

/** A port that was free a moment ago: whoever takes it must bear that another was quicker. */
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
