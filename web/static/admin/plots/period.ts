import { html } from "htm/preact";
import { useMemo } from "preact/hooks";
import { serverNow } from "../graphql_access.ts";
import type { Point } from "./plot.ts";

export interface Period {
  from: string;
  to: string;
}

const hourMs = 3_600_000;
const ranges = [
  { name: "24 hours", hours: 24 },
  { name: "3 days", hours: 72 },
  { name: "7 days", hours: 168 },
];

/** Returns the start of the hour that is `hours` hours ago. */
const hoursAgo = (hours: number): string =>
  new Date(Math.floor(serverNow().getTime() / hourMs) * hourMs - (hours - 1) * hourMs).toISOString();

/** So many clock hours up to the present one. */
export const usePeriod = (hours: number): Period =>
  useMemo(() => ({ from: hoursAgo(hours), to: hoursAgo(0) }), [hours]);

export const PeriodFilter = ({ hours, onChange }: { hours: number; onChange: (hours: number) => void }) =>
  html`<div class="filters">
    <div class="segmented" role="group" aria-label="Period">
      ${ranges.map(
        (range) =>
          html`<button
            type="button"
            key=${range.hours}
            aria-pressed=${hours === range.hours}
            onClick=${() => onChange(range.hours)}
          >
            ${range.name}
          </button>`,
      )}
    </div>
  </div>`;

/** Returns a point for each hour of the period: an hour without a row is zero, not a gap. */
export function pointsIn(period: Period, rows: { hour: string; all: number; part: number }[]): Point[] {
  const points = new Map<number, Point>();
  for (let at = Date.parse(period.from); at < Date.parse(period.to); at += hourMs)
    points.set(at, { at: at / 1_000, all: 0, part: 0 });
  for (const { hour, all, part } of rows) {
    const point = points.get(Date.parse(hour));
    if (!point) continue;
    point.all += all;
    point.part += part;
  }
  return [...points.values()];
}
