import { z } from "zod";

export type TrustProxy = false | number | string[];

/**
 * Parses TRUST_PROXY, Express's own syntax: "off", a number of hops, or a list of addresses, subnets and the names
 * loopback, linklocal, uniquelocal. A bare "true" would believe a header that any client can write.
 */
export function parseTrustProxy(text: string, context: z.RefinementCtx): TrustProxy {
  if (text === "off" || text === "false") return false;
  if (text === "true") {
    context.addIssue({
      code: "custom",
      message: "must not be true, which makes addresses forgeable: name the proxies",
    });
    return z.NEVER;
  }
  if (/^[1-9][0-9]?$/.test(text)) return Number(text);
  return text.split(",").map((item) => item.trim());
}
