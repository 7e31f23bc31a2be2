/** Two-sided p of the Mann-Whitney U test, by its normal approximation, which is good from 20 samples on. */
export function rankTest(a: number[], b: number[]): number {
  const all = [...a.map((value) => ({ value, own: 1 })), ...b.map((value) => ({ value, own: 0 }))];
  all.sort((left, right) => left.value - right.value);
  const rankSum = all.reduce((sum, { own }, index) => sum + own * (index + 1), 0);
  const mean = (a.length * (a.length + b.length + 1)) / 2;
  const deviation = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12);
  return 2 * (1 - normal(Math.abs(rankSum - mean) / deviation));
}

/** The standard normal distribution function (Abramowitz and Stegun 7.1.26). */
function normal(z: number): number {
  const t = 1 / (1 + 0.3275911 * (z / Math.SQRT2));
  const tail = [0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429];
  const polynomial = tail.reduceRight((sum, factor) => (sum + factor) * t, 0);
  return 1 - (polynomial * Math.exp(-(z * z) / 2)) / 2;
}
