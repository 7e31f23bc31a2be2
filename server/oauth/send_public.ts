import type { RequestHandler } from "express";

/** Sends a document that is the same for everybody as long as the process runs. */
export function sendPublic(document: object): RequestHandler {
  const body = JSON.stringify(document);
  return (_request, response) => {
    response.setHeader("Cache-Control", "public, max-age=300");
    response.setHeader("Content-Type", "application/json; charset=utf-8");
    response.setHeader("Content-Length", Buffer.byteLength(body));
    // Not response.json(), which would answer 304 to "If-None-Match: *".
    response.end(body);
  };
}
