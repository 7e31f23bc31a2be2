/** The middle value; NaN for an empty list. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

export const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

/** Runs the work `runs` times, one after another, and returns the duration of each run in milliseconds. */
export async function measureDurations(
  runs: number,
  work: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const durations: number[] = [];
  for (let index = 0; index < runs; index++) {
    const startedAt = performance.now();
    await work(index);
    durations.push(performance.now() - startedAt);
  }
  return durations;
}

/** Runs the work `total` times, with `concurrency` runs in flight. */
export async function runConcurrently(
  total: number,
  concurrency: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const runNext = async () => {
    while (next < total) await work(next++);
  };
  await Promise.all(Array.from({ length: concurrency }, runNext));
}

/** The value below which the share (0 to 1) of the values lies; NaN for an empty list. */
export const quantile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN;
