/** Returns the known name that takes the fewest changes to become, and how many. At least one name must be known. */
export function nearest(name: string, known: readonly string[]): { name: string; changes: number } {
  return known
    .map((other) => ({ name: other, changes: distance(name, other) }))
    .reduce((best, other) => (other.changes < best.changes ? other : best));
}

/** Levenshtein distance: how many characters have to be inserted, removed or replaced. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
