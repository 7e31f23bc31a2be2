import type { Request, Response } from "express";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { shortenPreferences } from "./long_preferences.ts";
import { sendBytes } from "./send_json.ts";

/** Content that is the same for everybody, compressed once. */
export interface Asset {
  type: string;
  etag: string;
  content: Buffer;
  gzip: Buffer;
}

const compress = promisify(gzip);

export async function createAsset(type: string, text: string | Buffer): Promise<Asset> {
  const content = Buffer.from(text);
  return {
    type,
    // Weak, because the plain and the compressed form share it (RFC 9110, section 8.8.1).
    etag: `W/"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`,
    content,
    gzip: await compress(content),
  };
}

/** Sends an asset, or 304 to a client that has it (RFC 9110, section 13). The caller sets Cache-Control. */
export function sendAsset(request: Request, response: Response, asset: Asset): void {
  // Appends to Vary, in which CORS may have named Origin.
  response.vary("Accept-Encoding").set("ETag", asset.etag);
  if (request.fresh) return void response.status(304).end();
  shortenPreferences(request, "accept-encoding");
  const isCompressed = request.acceptsEncodings("gzip") === "gzip";
  if (isCompressed) response.set("Content-Encoding", "gzip");
  response.set("Content-Type", asset.type);
  sendBytes(response, isCompressed ? asset.gzip : asset.content);
}
