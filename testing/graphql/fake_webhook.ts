import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface Webhook {
  url: string;
  server: Server;
  /** The requests received so far, oldest first. */
  requests: { method: string | undefined; headers: IncomingHttpHeaders }[];
  stop: () => void;
}

/** Starts an authorization webhook on a free port, which responds with the listener. */
export async function startWebhook(listener: RequestListener): Promise<Webhook> {
  const requests: Webhook["requests"] = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method, headers: request.headers });
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, server, requests, stop };
}

/** A listener that responds to every request with the status and, as JSON, the body. */
export const respondWith =
  (status: number, body: unknown): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
