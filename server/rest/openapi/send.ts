import type { RequestHandler } from "express";
import { createAsset, sendAsset, type Asset } from "../../../http/asset.ts";
import { openApiDocument } from "./document.ts";

let asset: Promise<Asset> | undefined;

/** GET /api/v1/openapi.json: created at the first request, because most processes never serve it. */
export const sendOpenApi: RequestHandler = async (request, response) => {
  asset ??= createAsset("application/json; charset=utf-8", JSON.stringify(openApiDocument()));
  response.set("Cache-Control", "public, max-age=300");
  sendAsset(request, response, await asset);
};
