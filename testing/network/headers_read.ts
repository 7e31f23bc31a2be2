import type { IncomingMessage } from "node:http";
import { components, documentedOperation, info } from "../service/openapi.ts";

/**
 * Headers of HTTP, browsers and proxies, which any request may have. Express reads If-Modified-Since, which no answer
 * of ours needs.
 */
const common = new Set([
  "host",
  "connection",
  "content-type",
  "content-length",
  "content-encoding",
  "transfer-encoding",
  "accept-encoding",
  "cache-control",
  "expect",
  "if-modified-since",
  "origin",
  "access-control-request-headers",
  "sec-fetch-mode",
  "sec-fetch-site",
  // httpxy reads it, for HTTP/2.
  ":authority",
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
]);

/** Collects the names of the headers that are read one by one: those that are only forwarded do not count. */
export function recordHeaderReads(request: IncomingMessage): Set<string> {
  const read = new Set<string>();
  const observed = <T extends object>(headers: T): T => {
    const listed = new Set<string | symbol>();
    return new Proxy(headers, {
      ownKeys(target) {
        listed.clear();
        return Reflect.ownKeys(target);
      },
      getOwnPropertyDescriptor(target, name) {
        listed.add(name);
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
      has(target, name) {
        read.add(String(name));
        return Reflect.has(target, name);
      },
      get(target, name) {
        if (!listed.delete(name)) read.add(String(name));
        return Reflect.get(target, name) as unknown;
      },
    });
  };
  for (const name of ["headers", "headersDistinct"] as const)
    Object.defineProperty(request, name, { value: observed(request[name]) });
  return read;
}

/** @throws Error with the names of the headers that the operation reads and the OpenAPI document does not have */
export function checkHeaderReads(method: string, path: string, read: Set<string>): void {
  const operation = documentedOperation(method, path);
  if (!operation) return;
  const { securitySchemes } = components;
  const described = `${info.description} ${operation.description}`.matchAll(/`([\w-]+)`/g);
  const documented = [
    ...Array.from(described, ([, name = ""]) => name),
    ...(operation.parameters ?? []).map(({ name }) => name),
    ...operation.security.flatMap((choice) =>
      Object.keys(choice).map((scheme) => securitySchemes[scheme]?.name ?? "Authorization"),
    ),
  ].map((name) => name.toLowerCase());
  const missing = [...read].filter((name) => !common.has(name) && !documented.includes(name));
  if (missing.length > 0)
    throw new Error(`${method} ${path} reads headers that the OpenAPI document does not name: ${missing.join(", ")}`);
}
