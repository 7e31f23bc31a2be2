/** The value below which the share (0 to 1) of the values lies; NaN for an empty list. */
export const quantile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN;

export const median = (values: number[]): number => quantile(values, 0.5);

export const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

/** Runs the work `total` times, with `width` runs in flight. Returns the duration of each run in milliseconds. */
export async function runConcurrently(
  total: number,
  width: number,
  work: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const durations: number[] = [];
  let next = 0;
  const runNext = async () => {
    while (next < total) {
      const startedAt = performance.now();
      await work(next++);
      durations.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: width }, runNext));
  return durations;
}

/** Prints a table whose first row is its heading, as Markdown. */
export function printTable(rows: (string | number)[][]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => String(row[column] ?? "").length)));
  const line = (row: (string | number)[]) =>
    `| ${widths.map((width, column) => String(row[column] ?? "").padEnd(width)).join(" | ")} |`;
  const [heading = [], ...others] = rows;
  console.log([line(heading), line(widths.map((width) => "-".repeat(width))), ...others.map(line)].join("\n"));
}
