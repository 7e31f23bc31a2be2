import type { RequestHandler } from "express";
import { Problem } from "../http/problem.ts";
import { findAsset } from "./assets.ts";

/**
 * GET /static/…: what pages load. A browser asks each time whether its copy is still the present one (304): the modules of a page
 * belong together, and one of an older version among them would break it.
 */
export const sendStaticFile: RequestHandler = async (request, response) => {
  const asset = await findAsset(request.path);
  if (!asset) throw new Problem("INVALID_REQUEST", { reason: "not_found" });
  response.set({ ETag: asset.etag, "Cache-Control": "no-cache", Vary: "Accept-Encoding" });
  if (request.fresh) return void response.status(304).end();
  const isCompressed = request.acceptsEncodings("gzip") === "gzip";
  if (isCompressed) response.set("Content-Encoding", "gzip");
  response.set("Content-Type", asset.type).send(isCompressed ? asset.gzip : asset.content);
};
