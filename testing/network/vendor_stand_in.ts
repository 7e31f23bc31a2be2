import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface VendorRequest {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The vendor's answer. */
export interface VendorAnswer {
  status: number;
  body: string | object;
  headers?: Record<string, string>;
}

/**
 * Starts an HTTP server in a vendor's place, which is stopped when the test ends.
 * @param answer for every request; undefined: it never answers
 * @returns hangUp: from now on it closes the connection of every request, those without an answer included
 */
export async function startVendor(
  answer: VendorAnswer | undefined,
): Promise<{ url: string; requests: VendorRequest[]; hangUp: () => void }> {
  let hasHungUp = false;
  const requests: VendorRequest[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method, url: path, headers } = request;
      requests.push({ method, path, headers, body });
      if (hasHungUp) request.socket.destroy();
      if (!answer || hasHungUp) return;
      const isText = typeof answer.body === "string";
      response.writeHead(answer.status, {
        "content-type": isText ? "text/xml" : "application/json",
        ...answer.headers,
      });
      response.end(isText ? answer.body : JSON.stringify(answer.body));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const hangUp = () => {
    hasHungUp = true;
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, hangUp };
}
