import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Problem } from "./problem.ts";

/** Bytes of an unused body that are read so that the connection can be kept. */
const maxUnusedBytes = 65_536;

/** What a body parser needs of an Express middleware. */
type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

const declaredLength = ({ headers }: IncomingMessage): number =>
  headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Infinity;

/**
 * Wraps a listener: a response to a request whose long body was not read closes the connection. node:http would read the
 * body to its end, however long it is, to keep the connection.
 */
export function closeUnread(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (declaredLength(request) > maxUnusedBytes) {
      const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => typeof response;
      response.writeHead = (...args: unknown[]) => {
        if (!request.complete) response.setHeader("Connection", "close");
        return writeHead(...args);
      };
    }
    listener(request, response);
  };
}

/**
 * Wraps a body parser of Express: a body over the limit is refused as soon as that is known. The parser would first read the
 * body to its end.
 */
export function boundBody(maxBytes: number, parse: Middleware): Middleware {
  return (request, response, next) => {
    let received = 0;
    let isOver = false;
    const refuse = () => {
      isOver = true;
      request.off("data", count);
      next(new Problem("INVALID_REQUEST", { reason: "too_large" }));
    };
    const count = (chunk: Buffer) => {
      received += chunk.length;
      if (received > maxBytes) refuse();
    };
    const length = declaredLength(request);
    if (length > maxBytes && length !== Infinity) {
      refuse();
      return;
    }
    if (length === Infinity) request.on("data", count);
    parse(request, response, (error?: unknown) => {
      if (!isOver) next(error);
    });
  };
}
