import { html } from "htm/preact";
import { useMemo, useState } from "preact/hooks";
import { signInsByHour, type SignInsInHour } from "../documents/sign_ins_documents.ts";
import { formatNumber, formatShare } from "../format.ts";
import { Answer, Empty, Heading, Table, type Column } from "../parts.ts";
import { PeriodFilter, pointsIn, usePeriod, type Period } from "../plots/period.ts";
import { Plot } from "../plots/plot.ts";
import { useQuery } from "../requests.ts";
import { isStrong, nameMethods } from "./sign_in_methods.ts";

/** How people sign in, over time. */
export function SignIns() {
  const [hours, setHours] = useState(24);
  const period = usePeriod(hours);
  const answer = useQuery(signInsByHour, period);
  return html`<${Heading}>Sign-ins<//>
    <${PeriodFilter} hours=${hours} onChange=${setHours} />
    <section class="card" aria-labelledby="by-method">
      <h2 id="by-method">How people sign in</h2>
      <p class="soft">
        Sign-ins by the hour, beside those with a second factor or a passkey. Sessions that are deleted
        (<code>SESSION_RETENTION_DAYS</code>) are not counted.
      </p>
      <${Answer} of=${answer}>
        ${({ sign_ins_by_hour: rows }: { sign_ins_by_hour: SignInsInHour[] }) =>
          rows.length === 0
            ? html`<${Empty}>Nobody signed in in this period.<//>`
            : html`<${Hours} rows=${rows} period=${period} />`}
      <//>
    </section>`;
}

function Hours({ rows, period }: { rows: SignInsInHour[]; period: Period }) {
  const points = useMemo(() => pointsIn(period, rows.map(toBars)), [rows, period]);
  const all = points.reduce((sum, point) => sum + point.all, 0);
  const strong = points.reduce((sum, point) => sum + point.part, 0);
  return html`<p class="figures">
      <span><b>${formatNumber(all)}</b> ${all === 1 ? "sign-in" : "sign-ins"}</span>
      <span><b>${formatNumber(strong)}</b> with a second factor or a passkey</span>
      <span><b>${formatShare(strong, all)}</b></span>
    </p>
    <${Plot}
      points=${points}
      names=${{ all: "Sign-ins", part: "With a second factor" }}
      label=${`Sign-ins by hour: ${all}, ${strong} with a second factor or a passkey. The table beneath has the numbers.`}
    />
    <${Methods} rows=${rows} all=${all} />`;
}

const toBars = ({ hour, amr, sign_ins }: SignInsInHour) => ({
  hour,
  all: sign_ins,
  part: isStrong(amr) ? sign_ins : 0,
});

const columns: Column[] = [["Method"], ["Sign-ins", "number"], ["Share", "share"]];

/** The period's sums by method. */
function Methods({ rows, all }: { rows: SignInsInHour[]; all: number }) {
  const sums = [...Map.groupBy(rows, ({ amr }) => nameMethods(amr))].map(([name, hours]) => ({
    name,
    count: hours.reduce((sum, { sign_ins }) => sum + sign_ins, 0),
  }));
  sums.sort((a, b) => b.count - a.count);
  return html`<${Table}
    label="Sign-ins by method"
    columns=${columns}
    rows=${sums.map(({ name, count }) => ({
      key: name,
      cells: [
        name,
        formatNumber(count),
        html`<span
          ><meter min="0" max=${Math.max(1, all)} value=${count} aria-label=${`Share of ${name}`}></meter>
          ${formatShare(count, all)}</span
        >`,
      ],
    }))}
  />`;
}
