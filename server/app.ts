import cors from "cors";
import express, { type Express, type RequestHandler } from "express";
import type { RequestListener } from "node:http";
import { sendConsole, sendConsoleFile } from "./graphql/transport/console.ts";
import { hasValidHost, requireHost } from "./http/malformed.ts";
import { handleErrors } from "./http/failures.ts";
import { readBody } from "./rest/handle.ts";
import { sendOpenApi } from "./rest/openapi/send.ts";
import { health } from "./http/health.ts";
import { sendKeySet } from "./tokens/jwks.ts";
import { createPasswordQueue } from "./queues/password_queue.ts";
import { Problem } from "./http/problem.ts";
import { followRequest } from "./http/request_log.ts";
import { routes } from "./rest/routes.ts";
import type { Services } from "./services.ts";
import { livePath, readyPath } from "./http/paths.ts";
import { sendLive, sendReady } from "./http/probes.ts";
import { securityHeaders } from "./http/security_headers.ts";
import { createTokens } from "./tokens/tokens.ts";
import { trustProxies, warnOfIgnoredForwarding } from "./http/trusted_proxies.ts";
import { authorizeWebhook } from "./authorization/webhook.ts";
import { webhookPath } from "./http/paths.ts";

/** Password calls that wait for their turn. */
const longestPasswordQueue = 400;

/** The ordered list of what a request meets. */
export function makeApp(given: Omit<Services, "tokens" | "passwordQueue">): RequestListener {
  const { config, log } = given;
  const tokens = createTokens({
    keys: config.JWT_KEYS,
    issuer: config.JWT_ISSUER,
    audience: config.JWT_AUDIENCE,
    caches: !config.OPTIMIZATIONS_OFF.has("token_cache"),
  });
  const services: Services = {
    ...given,
    tokens,
    passwordQueue: createPasswordQueue({
      connections: config.PASSWORD_POOL_SIZE,
      spareConnections: 1,
      waiting: longestPasswordQueue,
    }),
  };

  const bypasses = !config.OPTIMIZATIONS_OFF.has("webhook_bypass");
  const app = express();
  trustProxies(app, config.TRUST_PROXY);
  app.disable("x-powered-by");
  // One spelling of each route: proxies and logs that match paths see the same routes as this server does.
  app.enable("case sensitive routing");
  app.enable("strict routing");
  app.disable("etag");
  const follow = followRequest(log);
  app.use(follow);
  app.use(requireHost);
  app.use(warnOfIgnoredForwarding(log));
  // For an engine and no browser: before what only browsers need.
  const webhook = authorizeWebhook(services);
  mount(app, webhookPath, { GET: [webhook], POST: [webhook] });
  app.use(securityHeaders());
  if (config.CORS_ORIGINS) app.use(cors({ origin: config.CORS_ORIGINS, exposedHeaders, maxAge: 600 }));

  // Express looks through its routes in this order at every request.
  mount(app, "/v1/graphql", { POST: services.graphql });
  for (const route of routes) {
    const body = route.input.body ? [readBody] : [];
    mount(app, `/api/v1${route.path}`, { POST: [...body, route.handler(services)] });
  }
  mount(app, "/api/v1/openapi.json", { GET: [sendOpenApi] });
  mount(app, "/.well-known/jwks.json", { GET: [sendKeySet(config.JWT_KEYS)] });
  mount(app, "/api/v1/health", { GET: [health(services.database, config.NODE_ENV)] });
  mount(app, livePath, { GET: [sendLive] });
  mount(app, readyPath, { GET: [sendReady(services.readiness)] });
  mount(app, "/console", { GET: [sendConsole] });
  mount(app, "/console/static/:file", { GET: [sendConsoleFile] });

  app.use(() => {
    throw new Problem("INVALID_REQUEST", { reason: "not_found" });
  });
  app.use(handleErrors());

  return (request, response) => {
    // Asked at every GraphQL request: the way through Express would cost as much as the answer.
    const { url, method = "" } = request;
    if (bypasses && url === webhookPath && ["GET", "POST"].includes(method) && hasValidHost(request))
      follow(request, response, () => {
        webhook(request, response);
      });
    else app(request, response);
  };
}

const exposedHeaders = ["Retry-After", "RateLimit", "RateLimit-Policy", "WWW-Authenticate", "X-Request-Id"];

/** A path with its methods; any other method is answered 405 with Allow. */
function mount(
  app: Express,
  path: string,
  methods: { GET?: RequestHandler[]; POST?: RequestHandler[] },
): void {
  const route = app.route(path);
  if (methods.GET) route.get(methods.GET);
  if (methods.POST) route.post(methods.POST);
  const allow = [...(methods.GET ? ["GET", "HEAD"] : []), ...(methods.POST ? ["POST"] : [])].join(", ");
  route.all(() => {
    throw new Problem("INVALID_REQUEST", { reason: "method_not_allowed" }, { Allow: allow });
  });
}
