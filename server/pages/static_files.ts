import type { RequestHandler } from "express";
import { sendAsset } from "../../http/asset.ts";
import { Problem } from "../../http/problem.ts";
import { findAsset } from "./assets.ts";

/**
 * Security headers that browsers apply only to documents. On each of a page's forty files they would be larger than the
 * file.
 */
const ofDocuments = [
  "Content-Security-Policy",
  "Cross-Origin-Opener-Policy",
  "Origin-Agent-Cluster",
  "X-DNS-Prefetch-Control",
  "X-Download-Options",
  "X-Frame-Options",
  "X-Permitted-Cross-Domain-Policies",
  "X-XSS-Protection",
];

/**
 * GET /static/…: scripts and stylesheets of pages. A browser validates its copy at each use (304), because one module
 * of an older version would break the page.
 */
export const sendStaticFile: RequestHandler = async (request, response) => {
  const asset = await findAsset(request.path);
  if (!asset) throw new Problem("INVALID_REQUEST", { reason: "not_found" });
  for (const name of ofDocuments) response.removeHeader(name);
  response.set("Cache-Control", "no-cache");
  sendAsset(request, response, asset);
};
