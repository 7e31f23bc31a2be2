import express, { type Request } from "express";
import type { IncomingMessage } from "node:http";
import type { TrustProxy } from "../../../config/trust_proxy.ts";
import { clientAddress } from "../../http/client_address.ts";
import { trustProxies } from "../../http/trusted_proxies.ts";

/** The client's address of a request that asks for an upgrade, which never reaches the app, by the same rules. */
export function socketAddress(trustProxy: TrustProxy): (request: IncomingMessage) => string {
  const app = express();
  trustProxies(app, trustProxy);
  // What Express does to every request that it handles.
  return (request) => clientAddress(Object.setPrototypeOf(request, app.request) as Request);
}
