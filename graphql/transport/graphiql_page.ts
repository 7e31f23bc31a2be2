import type { RequestHandler } from "express";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ruruHTML } from "ruru/server";
import { getStaticFile } from "ruru/static";
import { createAsset, sendAsset, type Asset } from "../../http/asset.ts";
import { Problem } from "../../http/problem.ts";

const staticPath = "/console/static/";
const graphqlWs = dirname(createRequire(import.meta.url).resolve("graphql-ws"));

/** Files that Ruru's package does not contain, by their paths. */
const ownFiles = new Map(
  [
    {
      name: "graphiql_client.js",
      type: "text/javascript; charset=utf-8",
      path: join(import.meta.dirname, "graphiql_client.js"),
    },
    {
      name: "graphiql.css",
      type: "text/css; charset=utf-8",
      path: join(import.meta.dirname, "graphiql.css"),
    },
    {
      name: "graphql-ws.js",
      type: "text/javascript; charset=utf-8",
      path: join(graphqlWs, "../umd/graphql-ws.min.js"),
    },
  ].map(({ name, type, path }) => [staticPath + name, { type, path }]),
);
/** By their paths; only of files that there are. */
const assets = new Map<string, Promise<Asset | undefined>>();

const credentialForm = `
  <form id="credential" autocomplete="off">
    <strong>Latchkey</strong>
    <select aria-label="Kind of credential">
      <option value="secret">Admin secret</option>
      <option value="token">Bearer token</option>
    </select>
    <input type="password" autocomplete="off" required pattern="[ -~]+" aria-label="Credential"
      title="Kept in this page's memory only: a reload forgets it." />
    <button>Use</button>
    <output>Needed to fetch the schema. A reload forgets it.</output>
  </form>`;

const page = ruruHTML({
  staticPath,
  endpoint: "/v1/graphql",
  htmlParts: {
    // Without an icon, browsers request /favicon.ico.
    metaTags: (tags) => `${tags}<link rel="icon" href="data:," />`,
    titleTag: "<title>Latchkey</title>",
    styleTags: (tags) => `${tags}<link rel="stylesheet" href="${staticPath}graphiql.css" />`,
    bodyContent: (content) => credentialForm + content,
    bodyInitScript: `<script src="${staticPath}graphql-ws.js"></script>
      <script type="module" src="${staticPath}graphiql_client.js"></script>`,
  },
  clientConfig: {
    showPersistHeadersSettings: false,
    defaultQuery:
      "{\n  user_session(limit: 10, order_by: { created_at: desc }) {\n    id\n    user_id\n    role\n  }\n}\n",
  },
});

/**
 * Serves GraphiQL at GET /console, with no file from another host. The page contains no secret: the user enters the
 * admin secret or a token, which the page keeps in memory only.
 */
export const sendGraphiql: RequestHandler = (_request, response) => {
  const nonce = randomBytes(16).toString("base64");
  response
    .set({ "Content-Security-Policy": policy(nonce), "Cache-Control": "no-store" })
    .type("html")
    .send(page.replaceAll("<script", `<script nonce="${nonce}"`));
};

/** Serves the files of the page, each from a copy that was decompressed at its first request. */
export const sendGraphiqlFile: RequestHandler = async (request, response) => {
  const { path } = request;
  const known = assets.get(path) ?? readAsset(path);
  assets.set(path, known);
  const asset = await known;
  if (!asset) {
    assets.delete(path);
    throw new Problem("INVALID_REQUEST", { reason: "not_found" });
  }
  response.set("Cache-Control", "no-cache");
  sendAsset(request, response, asset);
};

async function readAsset(path: string): Promise<Asset | undefined> {
  const ownFile = ownFiles.get(path);
  if (ownFile) return createAsset(ownFile.type, await readFile(ownFile.path));
  const file = await getStaticFile({
    staticPath,
    urlPath: path,
    acceptEncoding: undefined,
    disallowDevAssets: true,
  });
  return file ? createAsset(file.headers["content-type"] ?? "", file.content) : undefined;
}

const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "worker-src 'self'",
    // The editor adds style elements at run time.
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self' data:",
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
