import { html } from "htm/preact";
import { useMemo, useState } from "preact/hooks";
import { sentByHour, type SentInHour } from "../documents/delivery_documents.ts";
import { Countries } from "./countries.ts";
import { formatCountry, formatNumber, formatShare } from "../format.ts";
import { serverNow } from "../graphql_access.ts";
import { Answer, Empty, Heading } from "../parts.ts";
import { Plot, type Point } from "./plot.ts";
import { useQuery } from "../requests.ts";
import { Vendors } from "../messages/vendors.ts";
import { WhatIf } from "./what_if.ts";

const hourMs = 3_600_000;
const ranges = [
  { name: "24 hours", hours: 24 },
  { name: "3 days", hours: 72 },
  { name: "7 days", hours: 168 },
];
const all = "all";

/** Returns the start of the hour that is `hours` hours ago. */
const hoursAgo = (hours: number): string =>
  new Date(Math.floor(serverNow().getTime() / hourMs) * hourMs - (hours - 1) * hourMs).toISOString();

export function Delivery() {
  const [hours, setHours] = useState(24);
  const [country, setCountry] = useState(all);
  const period = useMemo(
    () => ({ from: hoursAgo(hours), to: new Date(Date.parse(hoursAgo(0))).toISOString() }),
    [hours],
  );
  const answer = useQuery(sentByHour, period);
  return html`<${Heading}>Delivery<//>
    <div class="filters">
      <div class="segmented" role="group" aria-label="Period">
        ${ranges.map(
          (range) =>
            html`<button
              type="button"
              key=${range.hours}
              aria-pressed=${hours === range.hours}
              onClick=${() => setHours(range.hours)}
            >
              ${range.name}
            </button>`,
        )}
      </div>
    </div>
    <section class="card" aria-labelledby="sent-verified">
      <h2 id="sent-verified">Sent and verified</h2>
      <p class="soft">
        Messages by the hour, beside those whose code was used. A gap that widens is fraud, or a vendor that does not
        deliver.
      </p>
      <${Answer} of=${answer}>
        ${({ sent_by_hour: rows }: { sent_by_hour: SentInHour[] }) =>
          rows.length === 0
            ? html`<${Empty}>Nothing was sent in this period.<//>`
            : html`<${Hours} rows=${rows} period=${period} country=${country} onCountry=${setCountry} />`}
      <//>
    </section>
    <${Vendors} key=${hours} from=${period.from} />
    <${WhatIf} />`;
}

interface HoursProperties {
  rows: SentInHour[];
  period: { from: string; to: string };
  country: string;
  onCountry: (country: string) => void;
}

function Hours({ rows, period, country, onCountry }: HoursProperties) {
  const points = useMemo(() => pointsOf(rows, period, country), [rows, period, country]);
  const sent = points.reduce((sum, point) => sum + point.sent, 0);
  const verified = points.reduce((sum, point) => sum + point.verified, 0);
  const name = country === all ? "all countries" : formatCountry(country === "" ? null : country);
  return html`<p class="figures">
      <span><b>${formatNumber(sent)}</b> sent</span>
      <span><b>${formatNumber(verified)}</b> verified</span>
      <span><b>${formatShare(verified, sent)}</b> of ${name}</span>
    </p>
    <${Plot}
      points=${points}
      label=${`Messages by hour, ${name}: ${sent} sent, ${verified} verified. The table beneath has the numbers.`}
    />
    <${Countries}
      rows=${rows}
      chosen=${country}
      onChoose=${(value: string) => onCountry(value === country ? all : value)}
    />`;
}

/** Returns a point for each hour of the period: an hour without a message is zero, not a gap. */
function pointsOf(rows: SentInHour[], period: { from: string; to: string }, country: string): Point[] {
  const points = new Map<number, Point>();
  for (let at = Date.parse(period.from); at < Date.parse(period.to); at += hourMs)
    points.set(at, { at: at / 1_000, sent: 0, verified: 0 });
  for (const row of rows) {
    const point = points.get(Date.parse(row.hour));
    if (!point || (country !== all && (row.country ?? "") !== country)) continue;
    point.sent += row.sent;
    point.verified += row.verified;
  }
  return [...points.values()];
}
