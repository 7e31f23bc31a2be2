/** The time between a socket's handshake and its authorization by connection_init. */
export interface InitWindow {
  /**
   * Adds a socket. If there are too many, it evicts the oldest one of the same address, or of the address with most sockets:
   * clients send connection_init at once, so a client that keeps sockets open without it blocks no other client.
   * @param address the client's, as limits count it
   * @param evict closes the socket
   * @returns removes the socket; any further call does nothing
   */
  enter: (address: string, evict: () => void) => () => void;
}

/** Limits sockets that are not authorized yet: they use memory before their session is known. */
export function createInitWindow(limits: { perAddress: number; total: number }): InitWindow {
  /** The sockets of each address by their evict functions, oldest first. */
  const socketsByAddress = new Map<string, Set<() => void>>();
  let count = 0;

  function leave(address: string, evict: () => void): void {
    const sockets = socketsByAddress.get(address);
    if (!sockets?.delete(evict)) return;
    count--;
    if (sockets.size === 0) socketsByAddress.delete(address);
  }

  function evictOldest(address: string): void {
    const [evict] = socketsByAddress.get(address) ?? [];
    if (!evict) return;
    leave(address, evict);
    evict();
  }

  function largestAddress(): string {
    const [address] = [...socketsByAddress].reduce((a, b) => (b[1].size > a[1].size ? b : a));
    return address;
  }

  return {
    enter(address, evict) {
      const sockets = socketsByAddress.get(address) ?? new Set();
      socketsByAddress.set(address, sockets.add(evict));
      count++;
      if (sockets.size > limits.perAddress) evictOldest(address);
      else if (count > limits.total) evictOldest(largestAddress());
      return () => leave(address, evict);
    },
  };
}
