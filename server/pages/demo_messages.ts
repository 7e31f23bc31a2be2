import { isIP } from "node:net";
import type { Request, RequestHandler } from "express";
import { z } from "zod";
import type { ServerConfig } from "../../config/config.ts";
import type { PrintedMessages } from "../../runtime/printed_messages.ts";
import { readJson } from "../../http/body_reader.ts";
import { Problem } from "../../http/problem.ts";

/**
 * A part of the page /demo, which reads the codes of its own sign-ins: not of the API, so not in the OpenAPI document.
 */
export const demoMessagesPath = "/demo/messages";

const limit = 1_024;
const readBody = readJson(limit);
const bodySchema = z.object({ phone: z.string() });

/**
 * Whether a request names the server as no other site's DNS can: otherwise a page of evil.example, once that name leads
 * to this machine, would be one of the same origin (DNS rebinding).
 */
function isOwnName(host: string | undefined, publicUrl: string | undefined): boolean {
  const name = URL.parse(`http://${host ?? ""}`)?.hostname ?? "";
  const isLocal = name === "localhost" || name.endsWith(".localhost");
  const isAddress = isIP(name.replace(/^\[|\]$/g, "")) !== 0;
  return isLocal || isAddress || (publicUrl !== undefined && URL.parse(publicUrl)?.hostname === name);
}

/**
 * Compares Origin too, because browsers send Sec-Fetch-Site only to https and localhost. A request without both comes
 * from no page.
 */
function isOwnPage(request: Request): boolean {
  const origin = request.get("origin");
  const isForeign = origin !== undefined && URL.parse(origin)?.host !== request.get("host");
  return !isForeign && ["same-origin", undefined].includes(request.get("sec-fetch-site"));
}

/**
 * Creates the handlers of POST /demo/messages: the SMS to one phone that the console provider of this process has
 * printed. The phone is in the body, because URLs are logged. In production there are none, whatever DEMO says: anybody
 * who reads the SMS of a phone can sign in as its owner.
 */
export function demoMessages(
  { DEMO, NODE_ENV, PUBLIC_URL }: Pick<ServerConfig, "DEMO" | "NODE_ENV" | "PUBLIC_URL">,
  messages: PrintedMessages | undefined,
): RequestHandler[] {
  if (!DEMO || NODE_ENV === "production" || !messages) return [];
  return [
    (request, response, next) => {
      // Refuses pages of other origins, even those in CORS_ORIGINS. Other programs do not send this header.
      if (!isOwnName(request.get("host"), PUBLIC_URL) || !isOwnPage(request))
        throw new Problem("INVALID_REQUEST", { reason: "not_found" });
      if (!request.is("application/json")) throw new Problem("INVALID_REQUEST", { reason: "unsupported_media_type" });
      readBody(request, response, next);
    },
    (request, response) => {
      const { success, data } = bodySchema.safeParse(request.body);
      if (!success) throw new Problem("MISSING_FIELDS", { fields: ["phone"] });
      // People write a phone in many ways; recipients are in E.164.
      const phone = `+${data.phone.replace(/\D/g, "")}`;
      response.set("Cache-Control", "no-store").json({ messages: messages.textsTo(phone) });
    },
  ];
}
