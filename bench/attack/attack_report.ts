import { median, quantile, round } from "../figures.ts";
import type { Seen } from "./others.ts";

/** What one case measured; `idle` and `underAttack` have one list for each round. */
export interface Measured {
  idle: Seen[][];
  underAttack: Seen[][];
  /** Peaks in MB. */
  server: number;
  backend: number;
  /** The server's longest event-loop delay in milliseconds. */
  loopDelay: number;
}

/** Upper limits; the ratio is that of the p99. */
const targets = { serverMb: 400, backendMb: 200, ratio: 3, refused: 0 };

const durations = (seen: Seen[]) => seen.map(({ ms }) => ms);
const ofKind = (seen: Seen[], isLogin: boolean) => seen.filter(({ kind }) => (kind === "login") === isLogin);
const p = (seen: Seen[], isLogin: boolean, share: number) =>
  quantile(durations(ofKind(seen, isLogin)), share);

/** p99 of each kind of request, in milliseconds. */
const p99OfKinds = (seen: Seen[]) =>
  [...Map.groupBy(seen, ({ kind }) => kind)]
    .map(([kind, ofIt]) => `${kind} ${round(quantile(durations(ofIt), 0.99))}`)
    .join(", ");

/** The longest that any ordinary request took. */
const longest = (seen: Seen[]) =>
  round(
    durations(seen).reduce((a, b) => Math.max(a, b), 0),
    0,
  );

/** Describes how many ordinary requests were refused, with kinds and statuses. */
function refusals(seen: Seen[], refused: Seen[]): string {
  const kinds = new Set(refused.map(({ kind, status }) => `${kind} ${status}`));
  return `${refused.length} of ${seen.length} refused${refused.length > 0 ? ` (${[...kinds].join(", ")})` : ""}`;
}

/** Describes a case in three lines: memory and latency, stalls, and a verdict for each target. */
export function describeCase(name: string, measured: Measured, received: Record<string, number>): string {
  const { idle, underAttack, server, backend, loopDelay } = measured;
  const ratios = (isLogin: boolean, share: number) =>
    underAttack.map((seen, index) => p(seen, isLogin, share) / p(idle[index] ?? [], isLogin, share));
  const fast = ratios(false, 0.99);
  const all = underAttack.flat();
  const refused = all.filter(({ status }) => status !== 200);
  const verdict = (isMet: boolean) => (isMet ? "met" : "MISSED");
  return (
    `${name}: server ${server} MB, largest backend ${round(backend, 0)} MB; others p99 ` +
    `${round(median(idle.map((seen) => p(seen, false, 0.99))))} ms at rest, ` +
    `${round(median(underAttack.map((seen) => p(seen, false, 0.99))))} ms under attack, ${round(median(fast))} × ` +
    `(${round(Math.min(...fast))} to ${round(Math.max(...fast))}), p50 ${round(median(ratios(false, 0.5)))} ×, ` +
    `login p50 ${round(median(ratios(true, 0.5)))} ×, p99 by kind: ${p99OfKinds(idle.flat())} ms at rest, ` +
    `${p99OfKinds(all)} ms under attack; ${refusals(all, refused)}; the attacker received ${JSON.stringify(received)}\n` +
    `  longest stall of others: ${longest(idle.flat())} ms at rest, ${longest(all)} ms under attack; ` +
    `longest event-loop delay of the server: ${round(loopDelay, 0)} ms\n` +
    `  targets: server below ${targets.serverMb} MB ${verdict(server < targets.serverMb)}, ` +
    `backend below ${targets.backendMb} MB ${verdict(backend < targets.backendMb)}, ` +
    `p99 within ${targets.ratio} × ${verdict(median(fast) <= targets.ratio)}, ` +
    `${targets.refused} others refused ${verdict(refused.length <= targets.refused)}`
  );
}
