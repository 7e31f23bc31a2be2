import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { transformSync } from "amaro";
import { packageFolders } from "./browser_packages.ts";

/** A file as browsers get it. */
export interface Asset {
  type: string;
  etag: string;
  content: Buffer;
  gzip: Buffer;
}

const root = join(import.meta.dirname, "../..");
const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".ts": "text/javascript; charset=utf-8",
};

/** Where each URL's file is: nothing outside of these folders can be asked for, whatever the path says. */
const files = new Map(
  [
    ["/static", join(root, "web/static")] as const,
    ["/static/client", join(root, "client/src")] as const,
    ...packageFolders,
  ].flatMap(([url, folder]) => filesIn(folder).map((name) => [`${url}/${name}`, join(folder, name)])),
);
const assets = new Map<string, Promise<Asset>>();
const compress = promisify(gzip);

/** The file of a URL's path, read and compressed when it is asked for the first time. */
export function findAsset(path: string): Promise<Asset> | undefined {
  const file = files.get(path);
  if (file === undefined) return undefined;
  const asset = assets.get(path) ?? readAsset(file);
  assets.set(path, asset);
  return asset;
}

async function readAsset(file: string): Promise<Asset> {
  const content = Buffer.from(forBrowsers(file, await readFile(file)));
  return {
    type: types[extname(file)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`,
    content,
    gzip: await compress(content),
  };
}

/** Browsers read no types. They are replaced by spaces, so that a line number in the browser is that of the file. */
const forBrowsers = (file: string, content: Buffer): string | Buffer =>
  extname(file) === ".ts" ? transformSync(content.toString(), { mode: "strip-only" }).code : content;

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => extname(name) in types && !/\.(test|d)\.ts$/.test(name),
  );
}
