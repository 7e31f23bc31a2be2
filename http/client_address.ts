import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { withoutPort } from "./trusted_proxies.ts";

/**
 * Returns the client's address as limits count it: IPv4 as it is, IPv4-mapped IPv6 as IPv4, and IPv6 as its /64, which
 * belongs to one subscriber. A trusted proxy may forward text that is not an address: it counts as "unknown", not as
 * the proxy, which may be exempt from limits.
 * @param ip as Express has decided which forwarded address to trust (TRUST_PROXY)
 */
export const clientAddress = (ip: string | undefined): string => foldAddress(withoutPort(ip ?? "")) ?? "unknown";

export function foldAddress(text: string): string | undefined {
  const [address = ""] = text.split("%");
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  // A dual-stack socket reports IPv4 clients as IPv4-mapped IPv6: process() returns their IPv4.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  // Only ::1 is the loopback address: the other addresses of its /64 are not this machine.
  if (parsed.range() === "loopback") return "::1";
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}
