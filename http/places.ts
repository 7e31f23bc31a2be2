/** What the clients of one process hold at once: sockets, or bytes of bodies. */
export interface Places {
  /**
   * Adds a holder. While there is too much, holders of the same address, or of the address that holds most, are evicted, perhaps the new one
   * itself: so a client that holds much takes places from itself, and from no other client.
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
  /** Whom to evict: the oldest where honest holders leave soon, the newest where they stay. */
  evicts: "oldest" | "newest";
}

/** The holders of one address by their evict functions, oldest first. */
interface Held {
  sizes: Map<() => void, number>;
  sum: number;
}

/** Bounds what clients hold, by address and in total. */
export function createPlaces({ perAddress, total, evicts }: Limits): Places {
  const byAddress = new Map<string, Held>();
  let sum = 0;

  function leave(address: string, evict: () => void): void {
    const held = byAddress.get(address);
    const size = held?.sizes.get(evict);
    if (!held || size === undefined) return;
    held.sizes.delete(evict);
    held.sum -= size;
    sum -= size;
    if (held.sizes.size === 0) byAddress.delete(address);
  }

  function evictOne(address: string): void {
    const holders = [...(byAddress.get(address)?.sizes.keys() ?? [])];
    const evict = holders.at(evicts === "oldest" ? 0 : -1);
    if (!evict) return;
    leave(address, evict);
    evict();
  }

  function largestAddress(): string {
    // A loop without arrays: there may be as many addresses as holders, and each holder beyond the limit searches them.
    let [largest, most] = ["", 0];
    for (const [address, held] of byAddress) if (held.sum > most) [largest, most] = [address, held.sum];
    return largest;
  }

  return {
    enter(address, evict, size = 1) {
      const held = byAddress.get(address) ?? { sizes: new Map(), sum: 0 };
      byAddress.set(address, held);
      held.sizes.set(evict, size);
      held.sum += size;
      sum += size;
      while (held.sum > perAddress) evictOne(address);
      while (sum > total) evictOne(largestAddress());
      return () => leave(address, evict);
    },
  };
}
