/** The items in an order that only `seed` determines. */
export function shuffle<T>(items: readonly T[], seed: number): T[] {
  const random = createRandom(seed);
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
  }
  return shuffled;
}

/**
 * Returns numbers from 0 to below 1. A linear congruential generator, of which the upper bits are used: Math.random()
 * takes no seed.
 */
export function createRandom(seed: number): () => number {
  let state = BigInt.asUintN(64, BigInt(seed) * 2654435761n + 1n);
  return () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number(state >> 32n) / 2 ** 32;
  };
}
