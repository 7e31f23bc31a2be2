import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { pathOf } from "../../http/envelope.ts";
import { checkHeaderReads, recordHeaderReads } from "../network/headers_read.ts";
import { checkAgainstDocument } from "./openapi.ts";

/** Differences from the OpenAPI document, by the port of the server that answered. */
const differencesByPort = new Map<number, string[]>();

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

// node:http publishes every request of this process before it calls the server's listener.
subscribe("http.server.request.start", (message) => {
  const { request, response } = message as Exchange;
  // A server that no longer listens has no address, but still answers on the connections that it has.
  const differences = differencesByPort.get(request.socket.localPort ?? 0);
  if (!differences) return;
  const { currentTestName = "outside of a test" } = expect.getState();
  const method = request.method ?? "";
  // The request target may be a whole URL (RFC 9112, 3.2.2).
  const path = pathOf(request).replace(/^https?:\/\/[^/]*/, "");
  const content = contentOf(response);
  const headersRead = recordHeaderReads(request);
  // Not emitted for an answer that the client did not wait for.
  response.on("finish", () => {
    try {
      checkHeaderReads(method, path, headersRead);
      checkAgainstDocument(method, path, {
        status: response.statusCode,
        headers: new Headers(
          Object.entries(response.getHeaders()).map(([name, value]): [string, string] => [name, String(value)]),
        ),
        text: content(),
      });
    } catch (error) {
      differences.push(`${(error as Error).message}\n  (${currentTestName})`);
    }
  });
});

/**
 * Checks the answers of a server in this process against the OpenAPI document, for every caller: a test, a client or a
 * browser. Left out are the answers to bytes that are no HTTP request, those for which the client did not wait, and
 * those to upgrades to a WebSocket.
 * @returns to be called when the server has stopped: throws if an answer differed
 */
export function checkAnswersOf(url: string): () => void {
  const port = Number(new URL(url).port);
  const differences: string[] = [];
  differencesByPort.set(port, differences);
  return () => {
    differencesByPort.delete(port);
    if (differences.length > 0)
      throw new Error(`answers differ from the OpenAPI document:\n${[...new Set(differences)].join("\n")}`);
  };
}

/** Collects what is written to the response: the function returns it, decompressed. */
function contentOf(response: ServerResponse): () => string {
  const chunks: Buffer[] = [];
  for (const name of ["write", "end"] as const) {
    const original = response[name].bind(response) as (...args: unknown[]) => never;
    response[name] = (...args: unknown[]) => {
      const [chunk] = args;
      if (typeof chunk === "string" || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
      return original(...args);
    };
  }
  return () => {
    const bytes = Buffer.concat(chunks);
    return (response.getHeader("content-encoding") === "gzip" ? gunzipSync(bytes) : bytes).toString();
  };
}
