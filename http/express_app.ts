import express, { type Express, type RequestHandler } from "express";
import type { TrustProxy } from "../config/trust_proxy.ts";
import type { Log } from "../runtime/log.ts";
import { requireHost } from "./malformed.ts";
import { Problem } from "./problem.ts";
import { logRequests, type Observers } from "./request_log.ts";
import { trustProxies } from "./trusted_proxies.ts";

export type Method = "GET" | "POST" | "DELETE";

/** An app whose requests have a client address, an id, a line in the log and a valid Host. */
export function createExpress(trustProxy: TrustProxy, log: Log, observers?: Observers): Express {
  const app = express();
  trustProxies(app, trustProxy);
  app.disable("x-powered-by");
  // Each route has one spelling, so that proxies and logs that match paths see the same routes as this program.
  app.enable("case sensitive routing");
  app.enable("strict routing");
  app.disable("etag");
  app.use(logRequests(log, observers));
  app.use(requireHost);
  return app;
}

/** Mounts handlers on a path. Every other method is answered 405 with Allow. */
export function mount(app: Express, path: string, methods: Partial<Record<Method, RequestHandler[]>>): void {
  const route = app.route(path);
  if (methods.GET) route.get(methods.GET);
  if (methods.POST) route.post(methods.POST);
  if (methods.DELETE) route.delete(methods.DELETE);
  const allow = Object.keys(methods)
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");
  route.all(() => {
    throw new Problem("INVALID_REQUEST", { reason: "method_not_allowed" }, { Allow: allow });
  });
}

export const notFound: RequestHandler = () => {
  throw new Problem("INVALID_REQUEST", { reason: "not_found" });
};
