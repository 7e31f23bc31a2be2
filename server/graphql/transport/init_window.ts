export interface InitWindow {
  /**
   * Lets a socket in that is not authorized yet. Where there is no room it takes the place of the oldest one of its address, or of
   * the address that has most: a client authorizes at once, and whoever keeps sockets open without doing so keeps nobody else out.
   * @param address the client's, as limits count it
   * @param evict ends the socket
   * @returns lets it out again, any number of times
   */
  enter: (address: string, evict: () => void) => () => void;
}

/** Bounds sockets between their handshake and their authorization: they cost memory, and nobody knows whose they are. */
export function createInitWindow({ perAddress, inAll }: { perAddress: number; inAll: number }): InitWindow {
  /** The sockets of each address, oldest first. */
  const addresses = new Map<string, Set<() => void>>();
  let count = 0;

  function leave(address: string, evict: () => void): void {
    const sockets = addresses.get(address);
    if (!sockets?.delete(evict)) return;
    count--;
    if (sockets.size === 0) addresses.delete(address);
  }

  function evictOldest(address: string): void {
    const [oldest] = addresses.get(address) ?? [];
    if (!oldest) return;
    leave(address, oldest);
    oldest();
  }

  return {
    enter(address, evict) {
      const sockets = addresses.get(address) ?? new Set();
      addresses.set(address, sockets.add(evict));
      count++;
      if (sockets.size > perAddress) evictOldest(address);
      else if (count > inAll) {
        const [largest] = [...addresses].reduce((one, other) => (other[1].size > one[1].size ? other : one));
        evictOldest(largest);
      }
      return () => leave(address, evict);
    },
  };
}
