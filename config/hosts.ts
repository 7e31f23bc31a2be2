import type { z } from "zod";

const splitList = (text: string): string[] => text.split(",").map((item) => item.trim());

/**
 * Parses CORS_ORIGINS: origins as browsers send them, separated by commas. Rejects text that no browser's origin would
 * match, and "*", which would let every website read the responses.
 */
export function parseCorsOrigins(text: string, context: z.RefinementCtx): string[] {
  const origins = splitList(text);
  if (text.includes("*"))
    context.addIssue({
      code: "custom",
      message: "must not contain *: list each origin that may call the API",
    });
  else if (!origins.every(isOrigin))
    context.addIssue({
      code: "custom",
      message:
        "must be origins such as https://app.example.com or capacitor://localhost, separated by commas: " +
        "as the browser sends them, in lower case, without a path, a final slash or the scheme's default port",
    });
  return origins;
}

/** Parses SMS_HTTP_HOSTS and EVENT_HTTP_HOSTS: host names, separated by commas. Rejects text that no URL's host would match. */
export function parseHostNames(text: string, context: z.RefinementCtx): string[] {
  const hosts = splitList(text);
  if (text.includes("*") || !hosts.every((host) => URL.parse(`https://${host}`)?.hostname === host))
    context.addIssue({
      code: "custom",
      message:
        "must be host names such as sms.example.com, separated by commas: without a scheme, port or path, in lower case",
    });
  return hosts;
}

/**
 * Whether a browser sends this text as an origin. Apps and extensions have schemes of their own, whose pages differ by
 * host: capacitor://localhost (ionicframework.com/docs/faq/cors, checked 2026-11-27), chrome-extension://… Those of
 * file: and data: are null.
 */
function isOrigin(text: string): boolean {
  const { protocol = "", host = "" } = URL.parse(text) ?? {};
  return host !== "" && `${protocol}//${host}` === text && !hostless.includes(protocol);
}

const hostless = ["file:", "data:", "null:"];
