import cors from "cors";
import type { Request, RequestHandler } from "express";
import type { Log } from "../runtime/log.ts";

const exposedHeaders = ["Retry-After", "RateLimit", "RateLimit-Policy", "WWW-Authenticate", "X-Request-Id"];

/** How many refused origins are named, because any client can make up more. */
const maxNamed = 20;
/** A host name has 253 characters at most. */
const maxCharacters = 300;

/**
 * Lets pages of these origins read responses, and names in the log, once each, the origins of other pages that try: the
 * browser shows its user nothing but a failed request.
 */
export function allowOrigins(origins: string[] | undefined, log: Log): RequestHandler[] {
  const named = new Set<string>();
  const nameRefused: RequestHandler = (request, _response, next) => {
    const origin = originOfForeignPage(request)?.slice(0, maxCharacters);
    if (origin !== undefined && !origins?.includes(origin) && !named.has(origin) && named.size < maxNamed) {
      named.add(origin);
      log.warn({ origin }, named.size < maxNamed ? refused : `${refused} ${lastOne}`);
    }
    next();
  };
  return [nameRefused, ...(origins ? [cors({ origin: origins, exposedHeaders, maxAge: 600 })] : [])];
}

/** The origin of a page elsewhere whose script sent the request. Pages of this server send theirs with each POST. */
function originOfForeignPage({ headers, host }: Request): string | undefined {
  const { origin } = headers;
  if (origin === undefined || URL.parse(origin)?.host === host) return undefined;
  // Behind a proxy that changes Host, the browser still says that the page is the server's own.
  if (headers["sec-fetch-site"] === "same-origin") return undefined;
  // A form or a link shows its response to the user, and to no script.
  return headers["sec-fetch-mode"] === "navigate" ? undefined : origin;
}

const refused =
  "A page of this origin called the server, and its browser keeps the response from it: if the page is yours, " +
  "add the origin to CORS_ORIGINS and start the server again.";
const lastOne = "Further origins are not named.";
