import ipaddr from "ipaddr.js";

/**
 * The network of which limits count a client too (private.client_rules): of an IPv6 /64 the /48 around it, of any other
 * the address itself.
 */
export const networkOf = (address: string): string =>
  address.endsWith("/64")
    ? `${ipaddr.IPv6.networkAddressFromCIDR(address.replace(/64$/, "48")).toString()}/48`
    : address;

/** As private.rate_limit_rule has it: what the /64s of one /48 may have together. */
export const timesForNetwork = 10;

/**
 * Addresses that are public by their range, and yet the cloud's own: Azure's host, which hands out a virtual machine's
 * settings (https://github.com/coreos/afterburn/pull/145 names it, checked 2026-11-28).
 */
const ofTheCloud = ["168.63.129.16"];

/** What the internet routes of IPv6 (RFC 4291, section 2.4, and IANA's registry); everything else is reserved or local. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an address is one of the public internet: none of a private network, of this machine, of the link, such as
 * the metadata of clouds at 169.254.169.254, or of a range with another use. An IPv4 address within an IPv6 one counts.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast)) return false;
  return parsed.range() === "unicast" && !ofTheCloud.includes(parsed.toString());
}
