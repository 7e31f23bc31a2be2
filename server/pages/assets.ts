import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { transformSync } from "amaro";
import { createAsset, type Asset } from "../../http/asset.ts";
import { packageFolders } from "./browser_packages.ts";

const root = join(import.meta.dirname, "../..");
const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".ts": "text/javascript; charset=utf-8",
};

/** The folders of the served files. No path can request a file outside of them. */
const files = new Map(
  [
    ["/static", join(root, "web/static")] as const,
    ["/static/client", join(root, "client/src")] as const,
    ...packageFolders,
  ].flatMap(([url, folder]) => filesIn(folder).map((name) => [`${url}/${name}`, join(folder, name)])),
);
const assets = new Map<string, Promise<Asset>>();

/** Returns the file of a URL's path, which is read and compressed at the first request. */
export function findAsset(path: string): Promise<Asset> | undefined {
  const file = files.get(path);
  if (file === undefined) return undefined;
  const asset = assets.get(path) ?? readAsset(file);
  assets.set(path, asset);
  return asset;
}

async function readAsset(file: string): Promise<Asset> {
  const type = types[extname(file)] ?? "application/octet-stream";
  return createAsset(type, forBrowsers(file, await readFile(file)));
}

/** The image of Redoc's advertisement, on another host. */
const foreignImage = "https://cdn.redoc.ly/redoc/logo-mini.svg";

/**
 * Replaces types by spaces, because browsers cannot read them: line numbers in the browser stay those of the file.
 * Without its address, Redoc's image is no element that loads.
 */
function forBrowsers(file: string, content: Buffer): string | Buffer {
  if (extname(file) === ".ts") return transformSync(content.toString(), { mode: "strip-only" }).code;
  return file.endsWith("redoc.standalone.js") ? content.toString().replace(foreignImage, "") : content;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => extname(name) in types && !/\.(test|d)\.ts$/.test(name),
  );
}
