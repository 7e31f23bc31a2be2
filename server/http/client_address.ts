import type { IncomingMessage } from "node:http";
import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { withoutPort } from "./trusted_proxies.ts";

/** Where a request keeps it: the log and the limits both need it. */
const kept = Symbol("the client's address");

/**
 * The client's address as limits count it: IPv4 as it is, IPv4-mapped IPv6 as its IPv4, IPv6 by its /64, which is what
 * one subscriber holds. Express has already decided which forwarded address to believe (TRUST_PROXY).
 */
export function clientAddress(request: IncomingMessage & { ip?: string | undefined }): string {
  const keeper = request as { [kept]?: string };
  if (keeper[kept] !== undefined) return keeper[kept];
  // What is answered past Express has only the address of its connection.
  const given = "ip" in request ? request.ip : request.socket.remoteAddress;
  // A trusted proxy may still forward nonsense. It is not counted as the proxy, whose own address may be exempt from a limit.
  return (keeper[kept] = foldAddress(withoutPort(given ?? "")) ?? "unknown");
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
