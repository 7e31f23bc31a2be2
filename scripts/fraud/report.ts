import type { Day, Replayed } from "./replay.ts";

const columns = [
  ["rule", ({ rule }: Replayed) => rule ?? "all together"],
  ["decisions", ({ decisions }: Replayed) => decisions],
  ["unknown", ({ unknown }: Replayed) => unknown],
  ["refused then", ({ refused_then }: Replayed) => refused_then],
  ["refused now", ({ refused_now }: Replayed) => refused_now],
  ["saved", ({ saved }: Replayed) => saved],
  ["SMS saved", ({ saved_messages }: Replayed) => saved_messages],
  ["hurt", ({ hurt }: Replayed) => hurt],
] as const;
const barWidth = 40;

/** A table of the rules, and a bar per day of what all of them would have refused. */
export function formatReport(days: Day[]): string {
  const table = [
    columns.map(([title]): string => title),
    ...totals(days).map((row) => columns.map(([, cell]) => String(cell(row)))),
  ];
  return [
    ...alignColumns(table),
    "",
    "Refused now, by day (UTC):",
    ...bars(days),
    "",
    "unknown: the rule was off then, so its facts were not recorded. hurt: refused now, but the code was used.",
  ].join("\n");
}

/** The sum over the days, rule by rule. */
export function totals(days: Day[]): Replayed[] {
  const sums = new Map<string | null, Replayed>();
  for (const row of days.flatMap(({ rows }) => rows)) {
    const sum = sums.get(row.rule);
    if (!sum) sums.set(row.rule, { ...row });
    else
      for (const name of [
        "decisions",
        "unknown",
        "refused_then",
        "refused_now",
        "saved",
        "saved_messages",
        "hurt",
      ] as const)
        sum[name] += row[name];
  }
  return [...sums.values()];
}

/** The first column to the left, the numbers to the right. */
function alignColumns(table: string[][]): string[] {
  const widths = columns.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
}

function bars(days: Day[]): string[] {
  const refused = days.map(({ from, rows }) => ({
    day: from.toISOString().slice(0, 10),
    count: rows.find(({ rule }) => rule === null)?.refused_now ?? 0,
  }));
  const most = Math.max(1, ...refused.map(({ count }) => count));
  return refused.map(({ day, count }) => `${day}  ${"█".repeat(Math.ceil((count / most) * barWidth))} ${count}`);
}
