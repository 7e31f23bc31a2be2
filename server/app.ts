import type { Express, RequestHandler } from "express";
import helmet from "helmet";
import type { RequestListener } from "node:http";
import { allowOrigins } from "../http/cross_origin.ts";
import { handleErrors } from "../http/failures.ts";
import { openApiDocument } from "./rest/openapi/document.ts";
import { sendOpenApi } from "./rest/openapi/send.ts";
import { health } from "./http/health.ts";
import { mountOauth } from "./oauth/mount_oauth.ts";
import { sendPublic } from "./oauth/send_public.ts";
import { keySet } from "./tokens/jwks.ts";
import { demoValues } from "./pages/demo_values.ts";
import { demoMessages, demoMessagesPath } from "./pages/demo_messages.ts";
import { frontPageLinks } from "./pages/front_page_links.ts";
import { sendFrontPage } from "./pages/front_page.ts";
import { sendPage } from "./pages/page.ts";
import { sendReference } from "./pages/reference.ts";
import { sendStaticFile } from "./pages/static_files.ts";
import { expressPath } from "./rest/path_parameters.ts";
import type { Route } from "./rest/route.ts";
import { createExpress, mount, notFound, type Method } from "../http/express_app.ts";
import { routesByPath } from "./rest/routes.ts";
import type { Services } from "./services.ts";
import {
  consolePath,
  graphqlPath,
  jwksPath,
  livePath,
  readyDeliveryPath,
  readyPath,
  webhookPath,
} from "../http/paths.ts";
import { sendLive, sendProbe } from "../http/probes.ts";
import { sendUnavailable } from "./http/graphql_forward.ts";
import { createPasskeys } from "./passkeys/passkeys.ts";
import { createTotpSecrets } from "./factors/totp_secrets.ts";
import { createSendProofs } from "./proofs/send_proofs.ts";
import { createTokens } from "./tokens/tokens.ts";
import { warnOfIgnoredForwarding } from "../http/trusted_proxies.ts";
import { authorizeWebhook } from "./authorization/webhook.ts";

/** Builds the request listener. A request passes its handlers in this order. */
export function createApp(
  shared: Omit<Services, "tokens" | "totpSecrets" | "passkeys" | "sendProofs">,
): RequestListener {
  const { config, log } = shared;
  const tokens = createTokens({
    keys: shared.keys,
    unopened: shared.unopenedKeys,
    issuer: config.JWT_ISSUER,
    audience: config.JWT_AUDIENCE,
    clientId: config.JWT_CLIENT_ID,
    databaseRole: { claim: config.CLAIMS_ROLE, values: config.CLAIMS_ROLE_MAP ?? {} },
    caches: !config.OPTIMIZATIONS_OFF.has("token_cache"),
  });
  const services: Services = {
    ...shared,
    tokens,
    totpSecrets: createTotpSecrets(config),
    passkeys: createPasskeys(config, log),
    sendProofs: createSendProofs(config, shared.log),
  };

  const app = createExpress(config.TRUST_PROXY, log, shared.observers);
  // Before the headers for browsers, because engines call the webhook, and before the warning: they pass their clients'
  // headers on.
  const webhook = authorizeWebhook(services);
  mount(app, webhookPath, { GET: [webhook], POST: [webhook] });
  app.use(warnOfIgnoredForwarding(log));
  const forBrowsers = [helmet(), ...allowOrigins(config.CORS_ORIGINS, log)];
  if (services.graphql) {
    const consolePaths = config.CONSOLE ? [consolePath, `${consolePath}/static/:file`] : [];
    // GraphQL's answers have such headers of their own.
    for (const path of [graphqlPath, `${graphqlPath}/schema.graphql`, ...consolePaths])
      app.all(path, services.graphql.forward, forBrowsers, sendUnavailable);
  }
  app.use(forBrowsers);

  // Express tries its routes in this order: the most frequent first.
  for (const [path, own] of routesByPath) {
    const offered = own.filter(({ guard }) => guard.isOffered?.(config) !== false);
    if (offered.length === 0) continue;
    const handlers = offered.map((route): [Method, RequestHandler[]] => [route.method, handlersOf(route, services)]);
    mount(app, `/api/v1${expressPath(path)}`, Object.fromEntries(handlers));
  }
  mount(app, "/api/v1/openapi.json", { GET: [sendOpenApi] });
  mount(app, jwksPath, { GET: [sendPublic(shared.keys, keySet)] });
  mountOauth(app, services);
  mount(app, "/api/v1/health", { GET: [health(services.database, config.NODE_ENV)] });
  mount(app, livePath, { GET: [sendLive] });
  mount(app, readyPath, { GET: [sendProbe(services.readiness.failed)] });
  mount(app, readyDeliveryPath, { GET: [sendProbe(services.readiness.undelivered)] });
  mountPages(app, services);

  app.use(notFound);
  app.use(handleErrors());
  return app;
}

/** Redoc creates its styles and its arrows at run time, and searches in a worker that it creates itself. */
const redocPolicy = {
  "img-src": "'self' data:",
  "style-src": "'self' 'unsafe-inline'",
  "worker-src": "blob:",
};

/** The pages for browsers. CONSOLE and DEMO say which are served. */
function mountPages(app: Express, services: Services): void {
  const { config, readiness, printedMessages } = services;
  mount(app, "/", { GET: [sendFrontPage(readiness, frontPageLinks(config))] });
  mount(app, "/static/*path", { GET: [sendStaticFile] });
  mount(app, "/docs", { GET: [sendReference(openApiDocument)] });
  mount(app, "/docs/reference", { GET: [sendPage("redoc.html", { allowed: redocPolicy })] });
  if (config.DEMO)
    mount(app, "/demo", {
      GET: [sendPage("demo.html", { values: demoValues(services.database, services.passkeys.rpId) })],
    });
  const readMessages = demoMessages(config, printedMessages);
  if (readMessages.length > 0) mount(app, demoMessagesPath, { POST: readMessages });
  if (config.CONSOLE) mount(app, "/admin", { GET: [sendPage("admin.html")] });
}

const handlersOf = ({ input, handler }: Route, services: Services): RequestHandler[] => [
  ...(input.body ? [input.reader.read] : []),
  handler(services),
];
