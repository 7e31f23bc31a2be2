import ipaddr from "ipaddr.js";
import { z } from "zod";

export type TrustProxy = false | number | string[];

/**
 * Parses TRUST_PROXY, in Express's syntax: "off", a number of hops, or a list of addresses, subnets and the names
 * loopback, linklocal, uniquelocal. Rejects "true": the server would trust a header that every client can set.
 */
export function parseTrustProxy(text: string, context: z.RefinementCtx): TrustProxy {
  if (text === "off" || text === "false") return false;
  if (text === "true") {
    context.addIssue({
      code: "custom",
      message: "must not be true, which makes addresses forgeable: list the proxies",
    });
    return z.NEVER;
  }
  if (/^[1-9][0-9]?$/.test(text)) return Number(text);
  const proxies = text.split(",").map((item) => item.trim());
  if (proxies.every(isProxy)) return proxies;
  context.addIssue({
    code: "custom",
    message:
      "must be off, a number of hops (1 to 99), or IP addresses, subnets and the words loopback, linklocal, uniquelocal, separated by commas",
  });
  return z.NEVER;
}

const names = new Set(["loopback", "linklocal", "uniquelocal"]);

/** Checked here, because Express reports an invalid value with a stack trace. */
function isProxy(text: string): boolean {
  const [address = "", range] = text.split("/");
  if (range === undefined) return names.has(address) || isIPv4(address) || ipaddr.IPv6.isValid(address);
  if (isIPv4(address) && isIPv4(range)) return ipaddr.IPv4.parse(range).prefixLengthFromSubnetMask() !== null;
  return ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
}

const isIPv4 = (text: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(text);
