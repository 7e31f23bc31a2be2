import type { RequestHandler } from "express";
import { sendJson } from "./send_json.ts";

/** GET /live: 200 while the process answers. It checks nothing else, because a restart would fix nothing else. */
export const sendLive: RequestHandler = (_request, response) => {
  response.setHeader("Cache-Control", "no-store");
  sendJson(response, 200, { status: "ok" });
};

/** GET /ready and GET /ready/delivery: 200, or 503 with the names of what is not ready (http/readiness.ts). */
export function sendProbe(failedParts: () => Promise<string[]>): RequestHandler {
  return async (_request, response) => {
    const failed = await failedParts();
    response.setHeader("Cache-Control", "no-store");
    if (failed.length === 0) sendJson(response, 200, { status: "ok" });
    else sendJson(response, 503, { status: "unready", failed });
  };
}
