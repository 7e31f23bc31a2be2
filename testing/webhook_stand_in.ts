import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface Webhook {
  url: string;
  server: Server;
  /** What it was asked, oldest first. */
  asked: { method: string | undefined; headers: IncomingHttpHeaders }[];
  stop: () => void;
}

/** Stands in for the authorization webhook, over real HTTP. */
export async function startWebhook(answer: RequestListener): Promise<Webhook> {
  const asked: Webhook["asked"] = [];
  const server = createServer((request, response) => {
    asked.push({ method: request.method, headers: request.headers });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, server, asked, stop };
}

export const answering =
  (status: number, body: unknown): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
