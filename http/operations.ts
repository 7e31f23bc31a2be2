import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Metrics } from "../runtime/metrics.ts";
import { listen, ownHost, type Address } from "./listen.ts";

export interface Operations {
  /** Where Prometheus reads the metrics. */
  url: string;
  stop: () => Promise<void>;
}

export const metricsPath = "/metrics";

/** The metrics of a program that has an address to serve them at. Without one, the library is not even loaded. */
export async function openMetrics(address: Address | undefined, program: string): Promise<Metrics | undefined> {
  return address && (await import("../runtime/metrics.ts")).createMetrics(program);
}

/** Connections, and responses in flight: far more than scrapers need, and few enough to hold little memory. */
const mostConnections = 16;
const mostResponses = 8;
/** Milliseconds for which a scrape is sent again: however often the port is asked, metrics are collected once a second. */
const keepMs = 1_000;

/**
 * Serves a program's metrics on a port of their own, and nothing else, so that no proxy in front of the program can
 * publish them. A scraper that hangs, or a flood of scrapes, holds up nothing but this port.
 */
export async function serveOperations(metrics: Metrics, address: Address): Promise<Operations> {
  const http = createServer({
    headersTimeout: 5_000,
    requestTimeout: 5_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: 8_192,
  });
  http.maxConnections = mostConnections;
  // Ends a connection whose client does not read its response.
  http.setTimeout(10_000, (socket) => socket.destroy());
  const scrape = onceIn(keepMs, metrics.text);
  let responses = 0;

  http.on("request", (request, response) => {
    responses++;
    response.once("close", () => responses--);
    const path = request.url?.split("?", 1)[0];
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (path !== metricsPath) end(response, 404);
    else if (!isRead) end(response.setHeader("Allow", "GET, HEAD"), 405);
    else if (responses > mostResponses) end(response.setHeader("Retry-After", "1"), 503);
    else
      void scrape().then(
        (text) => response.writeHead(200, { "Content-Type": metrics.contentType }).end(text),
        () => end(response, 500),
      );
  });
  await listen(http, address);
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://${ownHost(address.HOST)}:${port}${metricsPath}`,
    stop: () => close(http),
  };
}

/** Sends a status without a body, and closes the connection: whatever was sent beside the request is not read. */
function end(response: ServerResponse, status: number): void {
  response.writeHead(status, { Connection: "close", "Content-Length": 0 }).end();
}

/** Callers of the same moment share one result, which is kept for so many milliseconds. */
function onceIn(ms: number, read: () => Promise<string>): () => Promise<string> {
  let kept: { at: number; text: Promise<string> } | undefined;
  return () => {
    const now = performance.now();
    if (!kept || now - kept.at >= ms) kept = { at: now, text: read() };
    return kept.text;
  };
}

async function close(http: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    http.close(() => resolve());
    http.closeAllConnections();
  });
}
