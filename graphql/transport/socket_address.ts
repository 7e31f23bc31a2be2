import express, { type Request } from "express";
import type { IncomingMessage } from "node:http";
import type { TrustProxy } from "../../config/trust_proxy.ts";
import { clientAddress } from "../../http/client_address.ts";
import { trustProxies } from "../../http/trusted_proxies.ts";

/** Returns a function that reads the client's address from an upgrade request, by the rules of Express, which never handles those. */
export function createAddressReader(trustProxy: TrustProxy): (request: IncomingMessage) => string {
  const app = express();
  trustProxies(app, trustProxy);
  // Express does the same to each request that it handles.
  return (request) => clientAddress(Object.setPrototypeOf(request, app.request) as Request);
}
