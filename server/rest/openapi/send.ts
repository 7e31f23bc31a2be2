import type { RequestHandler } from "express";
import { makeAsset, sendAsset, type Asset } from "../../http/asset.ts";
import { openApiDocument } from "./document.ts";

let asset: Promise<Asset> | undefined;

/** GET /api/v1/openapi.json: made at the first request, since most processes are never asked for it. */
export const sendOpenApi: RequestHandler = async (request, response) => {
  asset ??= makeAsset("application/json; charset=utf-8", JSON.stringify(openApiDocument()));
  response.set("Cache-Control", "public, max-age=300");
  sendAsset(request, response, await asset);
};
