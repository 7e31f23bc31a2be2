import type { RequestHandler } from "express";

/**
 * Sends a document that is the same for everybody.
 * @param source what it is made from: it is made again when that is another value
 */
export function sendPublic<Source>(source: () => Source, toDocument: (source: Source) => object): RequestHandler {
  let madeFrom = source();
  let body = JSON.stringify(toDocument(madeFrom));
  return (_request, response) => {
    if (madeFrom !== source()) {
      madeFrom = source();
      body = JSON.stringify(toDocument(madeFrom));
    }
    response.setHeader("Cache-Control", "public, max-age=300");
    response.setHeader("Content-Type", "application/json; charset=utf-8");
    response.setHeader("Content-Length", Buffer.byteLength(body));
    // Not response.json(), which would answer 304 to "If-None-Match: *".
    response.end(body);
  };
}
