import { median, quantile, round } from "../parts/figures.ts";
import type { Load } from "./crash_load.ts";
import { emptyRow, lines, type Row, type Tally } from "./crash_tally.ts";
import type { Sms } from "./crash_vendor.ts";

const headings: Record<keyof Row, string> = {
  kills: "kills",
  requests: "requests",
  sent: "sent",
  refused: "5xx",
  unanswered: "no answer",
  lost: "lost",
  doubleLostAnswer: "double, answer lost",
  doubleOther: "double, other",
  afterCancel: "after cancel",
};
const columns = Object.keys(headings) as (keyof Row)[];
const maxFaults = 20;

/** Jobs that are not done. */
export interface StuckJobs {
  count: number;
  attempts: number;
  locked_by: string | null;
  last_error: string | null;
}

interface Counts {
  stuck: StuckJobs[];
  /** How often server or worker ended although they were not killed. */
  endedByThemselves: number;
}

/** Prints the table. Returns whether all targets are met. */
export function printTally(
  { rows, faults }: Tally,
  { requests, faults: clientFaults }: Load,
  received: Sms[],
  { stuck, endedByThemselves }: Counts,
): boolean {
  const total = emptyRow();
  for (const line of lines) for (const column of columns) total[column] += rows[line][column];
  console.table(
    Object.fromEntries(
      [...lines.map((line) => [line, rows[line]] as const), ["total", total] as const].map(([line, row]) => [
        line,
        Object.fromEntries(columns.map((column) => [headings[column], row[column]])),
      ]),
    ),
  );
  for (const fault of faults.slice(0, maxFaults)) console.log(`  ${fault}`);
  if (faults.length > maxFaults) console.log(`  and ${faults.length - maxFaults} more`);

  const startOf = new Map(requests.map(({ phone, startedAt }) => [phone, startedAt]));
  const seconds = received.map(({ phone, receivedAt }) => (receivedAt - (startOf.get(phone) ?? NaN)) / 1_000);
  const [half, nearly, slowest] = [median(seconds), quantile(seconds, 0.99), quantile(seconds, 1)];
  console.log(
    `a message reaches the vendor after ${round(half, 1)} s (p50), ${round(nearly, 1)} s (p99), ${round(slowest, 1)} s (longest)`,
  );
  const unexpected = [...clientFaults];
  if (unexpected.length > 0) console.log(`unexpected answers: ${unexpected.join("; ")}`);
  const stuckCount = stuck.reduce((sum, { count }) => sum + count, 0);
  console.log(`jobs that no worker runs any more: ${stuckCount} (target 0)`);
  for (const { count, attempts, locked_by, last_error } of stuck)
    console.log(`  ${count} after ${attempts} attempts, locked by ${locked_by}, last error ${last_error}`);
  console.log(`processes that ended by themselves: ${endedByThemselves} (target 0)`);
  const { lost, doubleOther, afterCancel } = total;
  console.log(
    `lost: ${lost} (target 0), wrong doubles: ${doubleOther} (target 0), sent after cancel: ${afterCancel} (target 0)`,
  );
  return lost + doubleOther + afterCancel + stuckCount + endedByThemselves + unexpected.length === 0;
}
