import { median, quantile, round } from "../parts/figures.ts";
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

const isLogin = ({ kind }: Seen) => kind === "login";
const quantileOf = (seen: Seen[], share: number) =>
  quantile(
    seen.map(({ ms }) => ms),
    share,
  );
const p99OfKinds = (seen: Seen[]) =>
  [...Map.groupBy(seen, ({ kind }) => kind)]
    .map(([kind, ofIt]) => `${kind} ${round(quantileOf(ofIt, 0.99))}`)
    .join(", ");

/** Describes a case in three lines: memory and latency, stalls, and a verdict for each target. */
export function describeCase(name: string, measured: Measured, received: Record<string, number>): string {
  const { idle, underAttack, server, backend, loopDelay } = measured;
  const [rest, all] = [idle.flat(), underAttack.flat()];
  const ratios = (share: number, counts: (seen: Seen) => boolean) =>
    underAttack.map(
      (seen, at) =>
        quantileOf(seen.filter(counts), share) / quantileOf((idle[at] ?? []).filter(counts), share),
    );
  const ofOthers = ratios(0.99, (seen) => !isLogin(seen));
  const refused = all.filter(({ status }) => status !== 200);
  const kinds = new Set(refused.map(({ kind, status }) => `${kind} ${status}`));
  const verdict = (isMet: boolean) => (isMet ? "met" : "MISSED");
  return [
    `${name}: server ${server} MB, largest backend ${round(backend, 0)} MB; others' p99 ${round(median(ofOthers))} × ` +
      `(${round(Math.min(...ofOthers))} to ${round(Math.max(...ofOthers))}), p50 ${round(median(ratios(0.5, (seen) => !isLogin(seen))))} ×, ` +
      `login's p50 ${round(median(ratios(0.5, isLogin)))} ×; p99 by kind: ${p99OfKinds(rest)} ms at rest, ${p99OfKinds(all)} ms under attack`,
    `  longest stall of others ${round(quantileOf(rest, 1), 0)} ms at rest, ${round(quantileOf(all, 1), 0)} ms under attack; longest ` +
      `event-loop delay of the server ${round(loopDelay, 0)} ms; the attacker received ${JSON.stringify(received)}`,
    `  targets: server below ${targets.serverMb} MB ${verdict(server < targets.serverMb)}, ` +
      `backend below ${targets.backendMb} MB ${verdict(backend < targets.backendMb)}, ` +
      `p99 within ${targets.ratio} × ${verdict(median(ofOthers) <= targets.ratio)}, ` +
      `${refused.length} of ${all.length} others refused ${verdict(refused.length <= targets.refused)} ${[...kinds].join(", ")}`,
  ].join("\n");
}
