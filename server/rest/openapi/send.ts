import type { RequestHandler } from "express";
import { sendText } from "../../http/send_json.ts";
import { openApiDocument } from "./document.ts";

let text: string | undefined;

/** GET /api/v1/openapi.json: made at the first request, since most processes are never asked for it. */
export const sendOpenApi: RequestHandler = (_request, response) => {
  text ??= JSON.stringify(openApiDocument());
  response.setHeader("Cache-Control", "public, max-age=300");
  sendText(response, 200, text, "application/json");
};
