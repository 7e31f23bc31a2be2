import { lookup, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "../../runtime/networks.ts";

/** Resolves a host name to all of its addresses. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

const systemResolve: Resolve = (hostname) =>
  new Promise((resolve, reject) =>
    lookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
  );

export class PrivateAddressError extends Error {
  readonly code = "PRIVATE_ADDRESS";
}

/**
 * Creates the look-up of a connection that may only reach the public internet. The connection goes to the addresses that
 * were checked: nothing is resolved a second time, so a name that changes its mind reaches nothing. A name with one
 * address that is not public has none. A name that takes long occupies one thread of the resolver's four, and not one for
 * each request to it: the vendors' names are resolved by the others.
 */
export function createPublicLookup(resolve: Resolve = systemResolve): LookupFunction {
  const inProgress = new Map<string, Promise<LookupAddress[]>>();
  const resolveOnce = (hostname: string): Promise<LookupAddress[]> => {
    const known = inProgress.get(hostname);
    if (known) return known;
    const resolving = resolve(hostname).finally(() => inProgress.delete(hostname));
    inProgress.set(hostname, resolving);
    return resolving;
  };
  return (hostname, options, callback) => {
    resolveOnce(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
          callback(new PrivateAddressError("the name has an address that is not public"), []);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, []),
    );
  };
}
