import { MIMEType } from "node:util";
import express, { type Request } from "express";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { ClientBusyError } from "../runtime/database/errors.ts";
import { createPlaces } from "./places.ts";
import { contextOf } from "./request_context.ts";
import { Problem } from "./problem.ts";

/** Bytes of an unused body that are read so that the connection can be kept. */
const maxUnusedBytes = 65_536;

/** Bytes of the bodies that this process is receiving. A body of an ordinary client is there within milliseconds. */
const bodies = createPlaces({ perAddress: 16_777_216, total: 67_108_864, evicts: "oldest" });

type Middleware = (request: Request, response: ServerResponse, next: (error?: unknown) => void) => void;
type Verify = (request: IncomingMessage, response: ServerResponse, bytes: Buffer) => void;

/**
 * Pieces in which a body may arrive. Until the body ends each is held as a buffer of its own, which takes some 200
 * bytes: in chunks of one byte, a body would take 200 times what `bodies` counts. A network's segments have 500 bytes
 * and more.
 */
const mostPieces = (maxBytes: number): number => 64 + maxBytes / 256;

const declaredLength = ({ headers }: IncomingMessage): number =>
  headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Infinity;

/**
 * Wraps a listener: a response to a request whose long body was not read closes the connection. node:http would read
 * the body to its end, however long it is, to keep the connection.
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
 * Readers of request bodies: the only users of Express's parsers (a rule of eslint.config.js), so that no route can
 * forget a bound. Each takes any Content-Type: the caller has looked at it.
 */
export const readJson = (maxBytes: number, options: { strict?: boolean; verify?: Verify } = {}): Middleware =>
  boundBody(maxBytes, readUtf8(express.json({ ...options, ...bounds(maxBytes) })));

/**
 * A vendor sends twenty fields. With a thousand short ones, its library would need milliseconds to verify a forged
 * signature.
 */
export const readForm = (maxBytes: number, options: { verify?: Verify } = {}): Middleware =>
  boundBody(
    maxBytes,
    readUtf8(express.urlencoded({ ...options, extended: false, parameterLimit: 100, ...bounds(maxBytes) })),
  );

export const readBytes = (maxBytes: number): Middleware => boundBody(maxBytes, express.raw(bounds(maxBytes)));

const bounds = (limit: number) => ({ limit, type: () => true, inflate: false });

/**
 * Wraps a body parser of Express, which knows UTF-8 by the name "utf-8" alone, and decodes UTF-16 and UTF-7 too. Every
 * name that browsers know UTF-8 by (the Encoding standard: utf8, UTF8 …) is accepted, and no other charset: JSON has
 * one only (RFC 8259 section 8.1).
 */
function readUtf8(parse: Middleware): Middleware {
  return (request, response, next) => {
    if (declaredLength(request) > 0 && !isUtf8(request.headers["content-type"])) {
      next(unsupportedMediaType());
      return;
    }
    // The routes have looked at the media type by now.
    delete request.headers["content-type"];
    parse(request, response, next);
  };
}

function isUtf8(contentType = ""): boolean {
  try {
    const charset = new MIMEType(contentType).params.get("charset") || "utf-8";
    return new TextDecoder(charset).encoding === "utf-8";
  } catch {
    return false;
  }
}

/**
 * Wraps a body parser of Express, which would read a body that it refuses to its end. Before a byte is read it refuses
 * a body that is encoded, because 80 bytes of Brotli make a decoder take 16 MB, and one that is too long; then one that
 * becomes too long or arrives in too many pieces, and the slowest ones of a client that sends too many at once.
 */
function boundBody(maxBytes: number, parse: Middleware): Middleware {
  return (request, response, next) => {
    const length = declaredLength(request);
    const { "content-encoding": encoding = "" } = request.headers;
    if (length > 0 && !["", "identity"].includes(encoding.trim().toLowerCase())) {
      next(unsupportedMediaType());
      return;
    }
    if (length > maxBytes && length !== Infinity) {
      next(tooLarge());
      return;
    }
    let [received, pieces] = [0, 0];
    let isRefused = false;
    const refuse = (problem: Problem) => {
      isRefused = true;
      request.off("data", count);
      next(problem);
    };
    const evict = () => {
      // The rest of the body is not awaited.
      response.setHeader("Connection", "close");
      refuse(tooManyBodies());
    };
    const count = (chunk: Buffer) => {
      received += chunk.length;
      pieces++;
      if (received > maxBytes) refuse(tooLarge());
      else if (pieces > mostPieces(maxBytes)) {
        // Otherwise the parser would go on collecting.
        response.setHeader("Connection", "close");
        refuse(tooLarge());
      }
    };
    if (length > 0) request.on("data", count);
    const leave = bodies.enter(contextOf(request).client, evict, Math.min(length, maxBytes));
    response.once("close", leave);
    parse(request, response, (error?: unknown) => {
      leave();
      if (!isRefused) next(error);
    });
  };
}

const tooLarge = () => new Problem("INVALID_REQUEST", { reason: "too_large" });
const unsupportedMediaType = () => new Problem("INVALID_REQUEST", { reason: "unsupported_media_type" });
const tooManyBodies = () =>
  new Problem(
    "SERVICE_UNAVAILABLE",
    null,
    {},
    { cause: new ClientBusyError("too many bodies at once", "bodies in flight") },
  );
