import type { RequestHandler } from "express";
import { randomBytes } from "node:crypto";
import { ruruHTML, type RuruConfig } from "ruru/server";
import { getStaticFile } from "ruru/static";
import { Problem } from "../rest/errors.ts";

const staticPath = "/console/static/";

/** What the page does before anybody has typed a secret: nothing, and it says which header to fill in. */
const hint = "the admin secret; or, instead of this line, Authorization with Bearer and an access token";

const page = ruruHTML({
  staticPath,
  endpoint: "/v1/graphql",
  // A browser would ask for one at the root of the site.
  htmlParts: { metaTags: (tags: string) => `${tags}<link rel="icon" href="data:," />` },
  // The type asks for every setting there is.
  clientConfig: {
    defaultHeaders: JSON.stringify({ "X-Admin-Secret": hint }, null, 2),
    defaultQuery:
      "{\n  user_session(limit: 10, order_by: { created_at: desc }) {\n    id\n    user_id\n    role\n  }\n}\n",
  } as NonNullable<RuruConfig["clientConfig"]>,
});

/**
 * GET /console: GraphiQL. Everything comes from the package and from this server; its own scripts run by a nonce.
 * It holds no secret, and is useless without one: the headers tab asks for it.
 */
export const sendConsole: RequestHandler = (_request, response) => {
  const nonce = randomBytes(16).toString("base64");
  response
    .set({ "Content-Security-Policy": policy(nonce), "Cache-Control": "no-store" })
    .type("html")
    .send(page.replaceAll("<script", `<script nonce="${nonce}"`));
};

export const sendConsoleFile: RequestHandler = async (request, response) => {
  const file = await getStaticFile({
    staticPath,
    urlPath: request.path,
    acceptEncoding: request.headers["accept-encoding"],
    disallowDevAssets: true,
  });
  if (!file) throw new Problem("INVALID_REQUEST", { reason: "not_found" });
  response.set(file.headers).send(file.content);
};

const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "worker-src 'self'",
    // The editor writes its styles into the page as it goes.
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self' data:",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
