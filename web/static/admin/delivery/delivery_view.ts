import { html } from "htm/preact";
import { useMemo, useState } from "preact/hooks";
import { sentByHour, type SentInHour } from "../documents/delivery_documents.ts";
import { Countries } from "./countries.ts";
import { formatCountry, formatNumber, formatShare } from "../format.ts";
import { Answer, Empty, Heading } from "../parts.ts";
import { PeriodFilter, pointsIn, usePeriod, type Period } from "../plots/period.ts";
import { Plot, type Point } from "../plots/plot.ts";
import { useQuery } from "../requests.ts";
import { Vendors } from "../messages/vendors.ts";
import { WhatIf } from "./what_if.ts";

const all = "all";

export function Delivery() {
  const [hours, setHours] = useState(24);
  const [country, setCountry] = useState(all);
  const period = usePeriod(hours);
  const answer = useQuery(sentByHour, period);
  return html`<${Heading}>Delivery<//>
    <${PeriodFilter} hours=${hours} onChange=${setHours} />
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
  period: Period;
  country: string;
  onCountry: (country: string) => void;
}

function Hours({ rows, period, country, onCountry }: HoursProperties) {
  const points = useMemo(() => pointsOf(rows, period, country), [rows, period, country]);
  const sent = points.reduce((sum, point) => sum + point.all, 0);
  const verified = points.reduce((sum, point) => sum + point.part, 0);
  const name = country === all ? "all countries" : formatCountry(country === "" ? null : country);
  return html`<p class="figures">
      <span><b>${formatNumber(sent)}</b> sent</span>
      <span><b>${formatNumber(verified)}</b> verified</span>
      <span><b>${formatShare(verified, sent)}</b> of ${name}</span>
    </p>
    <${Plot}
      points=${points}
      names=${{ all: "Sent", part: "Verified" }}
      label=${`Messages by hour, ${name}: ${sent} sent, ${verified} verified. The table beneath has the numbers.`}
    />
    <${Countries}
      rows=${rows}
      chosen=${country}
      onChoose=${(value: string) => onCountry(value === country ? all : value)}
    />`;
}

const pointsOf = (rows: SentInHour[], period: Period, country: string): Point[] =>
  pointsIn(
    period,
    rows
      .filter((row) => country === all || (row.country ?? "") === country)
      .map(({ hour, sent, verified }) => ({ hour, all: sent, part: verified })),
  );
