import { median, quantile, round } from "../parts/figures.ts";
import type { Seen } from "./others.ts";

/** What one case measured; `idle` and `underAttack` have one list for each round. */
export interface Measured {
  idle: Seen[][];
  underAttack: Seen[][];
  /** Peaks in MB. */
  server: number;
  graphql: number;
  backend: number;
}

/** Upper limits; of the p99 in idle ones. */
const targets = { graphqlMb: 400, backendMb: 200, rest: 1.5, graphql: 5, refused: 0 };

const isLogin = ({ kind }: Seen) => kind === "login";
const isGraphql = ({ kind }: Seen) => kind === "graphql";
/** A login takes bcrypt: its p99 in so few seconds is that of one or two. */
const isRest = (seen: Seen) => !isLogin(seen) && !isGraphql(seen);
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
  const { idle, underAttack, server, graphql, backend } = measured;
  const [rest, all] = [idle.flat(), underAttack.flat()];
  const ratios = (share: number, counts: (seen: Seen) => boolean) =>
    underAttack.map(
      (seen, at) => quantileOf(seen.filter(counts), share) / quantileOf((idle[at] ?? []).filter(counts), share),
    );
  const [ofRest, ofGraphql] = [ratios(0.99, isRest), ratios(0.99, isGraphql)];
  const range = (values: number[]) =>
    `${round(median(values))} × (${round(Math.min(...values))} to ${round(Math.max(...values))})`;
  const refused = all.filter(({ status }) => status !== 200);
  const kinds = new Set(refused.map(({ kind, status }) => `${kind} ${status}`));
  const verdict = (isMet: boolean) => (isMet ? "met" : "MISSED");
  return [
    `${name}: server ${server} MB, GraphQL ${graphql} MB, largest backend ${backend} MB; others' p99 of REST ${range(ofRest)}, ` +
      `of GraphQL ${range(ofGraphql)}, p50 ${round(median(ratios(0.5, isRest)))} × and ${round(median(ratios(0.5, isGraphql)))} ×, ` +
      `of logins ${round(median(ratios(0.5, isLogin)))} ×; p99 by kind: ${p99OfKinds(rest)} ms at rest, ${p99OfKinds(all)} ms under attack`,
    `  longest stall of others ${round(quantileOf(rest, 1), 0)} ms at rest, ${round(quantileOf(all, 1), 0)} ms under attack; ` +
      `the attacker received ${JSON.stringify(received)}`,
    `  targets: GraphQL below ${targets.graphqlMb} MB ${verdict(graphql < targets.graphqlMb)}, ` +
      `backend below ${targets.backendMb} MB ${verdict(backend < targets.backendMb)}, ` +
      `p99 of REST within ${targets.rest} × ${verdict(median(ofRest) <= targets.rest)}, ` +
      `of GraphQL within ${targets.graphql} × ${verdict(median(ofGraphql) <= targets.graphql)}, ` +
      `${refused.length} of ${all.length} others refused ${verdict(refused.length <= targets.refused)} ${[...kinds].join(", ")}`,
  ].join("\n");
}
