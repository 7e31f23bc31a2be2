import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ServerConfig } from "../common/config.ts";
import { OperatorError } from "../common/environment.ts";
import { startListener } from "../common/listener.ts";
import type { Log } from "../common/log.ts";
import { checkDatabase } from "../common/startup_checks.ts";
import { makeApp } from "./app.ts";
import { openDatabase } from "./database.ts";
import { watchDeliveries } from "./deliveries.ts";
import { answerMalformed } from "./malformed.ts";

/** How long requests in flight may go on once the server stops; those that wait for an SMS then ask the row. */
const drainMs = 2_000;

export interface RunningServer {
  url: string;
  stop: () => Promise<void>;
}

/** Serves until stopped. Listens for deliveries before it takes the first request. */
export async function startServer(config: ServerConfig, log: Log): Promise<RunningServer> {
  const database = openDatabase(config.SERVER_DATABASE_URL, log);
  await checkDatabase({ query: database.query, schema: "api", log, config }).catch(async (error: unknown) => {
    await database.stop();
    throw error;
  });
  const listener = await startListener(config.directUrl, ["otp_delivery"], log);
  const deliveries = watchDeliveries(listener);
  const app = makeApp({ config, log, database, deliveries });
  const http = createServer(
    // A client that sends slowly, or nothing, holds a socket for so long at most.
    {
      headersTimeout: 10_000,
      requestTimeout: 20_000,
      keepAliveTimeout: 30_000,
      maxHeaderSize: 16_384,
      requireHostHeader: false,
    },
    app,
  );
  http.on("clientError", answerMalformed);
  // node:http would answer these, and requests without a Host, itself and without the specified error shape.
  http.on("checkExpectation", app);

  const stop = async () => {
    const closed = new Promise((resolve) => http.close(resolve));
    http.closeIdleConnections();
    const overdue = setTimeout(() => {
      deliveries.release();
      setTimeout(() => http.closeAllConnections(), 500).unref();
    }, drainMs);
    await closed;
    clearTimeout(overdue);
    await listener.stop();
    await database.stop();
  };

  try {
    await listen(http, config);
  } catch (error) {
    await listener.stop();
    await database.stop();
    throw error;
  }
  const { port } = http.address() as AddressInfo;
  return { url: `http://localhost:${port}`, stop };
}

function listen(http: Server, { PORT, HOST }: ServerConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once("error", (error: NodeJS.ErrnoException) => {
      const inUse = error.code === "EADDRINUSE";
      reject(inUse ? new OperatorError(`Port ${PORT} is in use: set PORT to another one.`) : error);
    });
    http.listen({ port: PORT, ...(HOST && { host: HOST }) }, resolve);
  });
}
