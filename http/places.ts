import { networkOf, timesForNetwork } from "../runtime/networks.ts";

/** What the clients of one process hold at once: sockets, or bytes of bodies. */
export interface Places {
  /**
   * Adds a holder. While there is too much, holders of the same address or network, or of the network that holds most,
   * are evicted, perhaps the new one itself: so a client that holds much takes places from itself, and from no other
   * client.
   * @param address the client's, as limits count it
   * @param evict ends the holder
   * @param size how much it holds
   * @returns removes the holder; any further call does nothing
   */
  enter: (address: string, evict: () => void, size?: number) => () => void;
}

interface Limits {
  perAddress: number;
  total: number;
  /**
   * Whom to evict: the oldest where honest holders leave soon, the newest where they stay. There a network loses one
   * only if it holds more than the new one's: else somebody with many networks would end the others' holders one by
   * one.
   */
  evicts: "oldest" | "newest";
}

interface Holder {
  address: string;
  network: string;
  evict: () => void;
  size: number;
}

/** Holders of one address, or of one network, oldest first. */
interface Held {
  holders: Set<Holder>;
  sum: number;
}

type Groups = Map<string, Held>;

function add(groups: Groups, key: string, holder: Holder): Held {
  const held = groups.get(key) ?? { holders: new Set(), sum: 0 };
  groups.set(key, held);
  held.holders.add(holder);
  held.sum += holder.size;
  return held;
}

function remove(groups: Groups, key: string, holder: Holder): boolean {
  const held = groups.get(key);
  if (!held?.holders.delete(holder)) return false;
  held.sum -= holder.size;
  if (held.holders.size === 0) groups.delete(key);
  return true;
}

/** Bounds what clients hold, by address, by network and in total. */
export function createPlaces({ perAddress, total, evicts }: Limits): Places {
  const byAddress: Groups = new Map();
  const byNetwork: Groups = new Map();
  let sum = 0;

  function leave(holder: Holder): void {
    if (!remove(byAddress, holder.address, holder)) return;
    remove(byNetwork, holder.network, holder);
    sum -= holder.size;
  }

  function evictOne({ holders }: Held): void {
    const holder = [...holders].at(evicts === "oldest" ? 0 : -1);
    if (!holder) return;
    leave(holder);
    holder.evict();
  }

  function largest(ofNewcomer: Held): Held {
    // A loop without arrays: there may be as many networks as holders, and each holder beyond the limit searches them.
    let found = evicts === "newest" ? ofNewcomer : { holders: new Set<Holder>(), sum: 0 };
    for (const held of byNetwork.values()) if (held.sum > found.sum) found = held;
    return found;
  }

  return {
    enter(address, evict, size = 1) {
      const holder = { address, network: networkOf(address), evict, size };
      const ofAddress = add(byAddress, address, holder);
      const ofNetwork = add(byNetwork, holder.network, holder);
      sum += size;
      while (ofAddress.sum > perAddress) evictOne(ofAddress);
      while (ofNetwork.sum > perAddress * timesForNetwork) evictOne(ofNetwork);
      while (sum > total) evictOne(largest(ofNetwork));
      return () => leave(holder);
    },
  };
}
