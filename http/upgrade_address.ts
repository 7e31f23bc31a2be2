import express, { type Request } from "express";
import type { IncomingMessage } from "node:http";
import type { TrustProxy } from "../config/trust_proxy.ts";
import { trustProxies } from "./trusted_proxies.ts";

/**
 * Returns a function that gives an upgrade request the members of Express, which never handles those: so `ip` follows
 * TRUST_PROXY.
 */
export function createUpgradeReader(trustProxy: TrustProxy): (request: IncomingMessage) => Request {
  const app = express();
  trustProxies(app, trustProxy);
  // Express does the same to each request that it handles.
  return (request) => Object.setPrototypeOf(request, app.request) as Request;
}
