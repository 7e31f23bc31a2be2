export interface InitWindow {
  /**
   * Lets a socket in that is not authorized yet.
   * @param address the client's, as limits count it
   * @returns lets it out again, any number of times; undefined: there is no room
   */
  enter: (address: string) => (() => void) | undefined;
}

/** Bounds sockets between their handshake and their authorization: they cost memory, and nobody knows whose they are. */
export function createInitWindow({ perAddress, inAll }: { perAddress: number; inAll: number }): InitWindow {
  const countOf = new Map<string, number>();
  let count = 0;
  return {
    enter(address) {
      const own = countOf.get(address) ?? 0;
      if (own >= perAddress || count >= inAll) return undefined;
      countOf.set(address, own + 1);
      count++;
      let inside = true;
      return () => {
        if (!inside) return;
        inside = false;
        count--;
        const left = (countOf.get(address) ?? 1) - 1;
        if (left === 0) countOf.delete(address);
        else countOf.set(address, left);
      };
    },
  };
}
