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
