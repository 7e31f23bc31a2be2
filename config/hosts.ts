import type { z } from "zod";

const splitList = (text: string): string[] => text.split(",").map((item) => item.trim());

/**
 * Parses CORS_ORIGINS: origins as browsers send them, separated by commas. Refused where none would ever match. "*" is refused
 * too: it would let every website read the answers, so each origin is named.
 */
export function parseCorsOrigins(text: string, context: z.RefinementCtx): string[] {
  const origins = splitList(text);
  if (text.includes("*"))
    context.addIssue({ code: "custom", message: "must not hold *: name each origin that may call the API" });
  else if (!origins.every(isOrigin))
    context.addIssue({
      code: "custom",
      message:
        "must be origins such as https://app.example.com, separated by commas: with http:// or https://, " +
        "in lower case, without a path, a final slash or the scheme's default port",
    });
  return origins;
}

/** Parses SMS_HTTP_HOSTS: names of hosts, separated by commas. Refused where none would ever match an address. */
export function parseHostNames(text: string, context: z.RefinementCtx): string[] {
  const hosts = splitList(text);
  if (text.includes("*") || !hosts.every((host) => URL.parse(`https://${host}`)?.hostname === host))
    context.addIssue({
      code: "custom",
      message:
        "must be names of hosts such as sms.example.com, separated by commas: without a scheme, port or path, in lower case",
    });
  return hosts;
}

const isOrigin = (text: string): boolean => /^https?:/.test(text) && URL.parse(text)?.origin === text;
