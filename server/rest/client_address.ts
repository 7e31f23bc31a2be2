import type { Request } from "express";
import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { withoutPort } from "./trusted_proxies.ts";

/**
 * The client's address as limits count it: IPv4 as it is, IPv4-mapped IPv6 as its IPv4, IPv6 by its /64, which is what
 * one subscriber holds. Express has already decided which forwarded address to believe (TRUST_PROXY).
 */
export function clientAddress(request: Request): string {
  // A trusted proxy may still forward nonsense. It is not counted as the proxy, whose own address may be exempt from a limit.
  return foldAddress(withoutPort(request.ip ?? "")) ?? "unknown";
}

export function foldAddress(text: string): string | undefined {
  const [address = ""] = text.split("%");
  // What a dual-stack socket calls an IPv4 client: half of all requests, and ipaddr.js is slow.
  const mapped = /^::ffff:([\d.]+)$/.exec(address)?.[1] ?? address;
  if (isIPv4(mapped)) return mapped;
  if (!isIPv6(address)) return undefined;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  // Apart from the rest of its /64, which is not this machine.
  if (parsed.range() === "loopback") return "::1";
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}
