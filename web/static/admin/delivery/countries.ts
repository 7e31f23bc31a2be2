import { html } from "htm/preact";
import type { SentInHour } from "../documents/delivery_documents.ts";
import { formatCountry, formatNumber, formatShare } from "../format.ts";
import { Table, type Column } from "../parts.ts";

interface Properties {
  rows: SentInHour[];
  chosen: string;
  onChoose: (country: string) => void;
}

const columns: Column[] = [["Country"], ["Sent", "number"], ["Verified", "number"], ["Share", "share"]];

/** The period's sums by country; choosing one shows it alone in the plot. */
export function Countries({ rows, chosen, onChoose }: Properties) {
  const sums = [...Map.groupBy(rows, ({ country }) => country ?? "")].map(([country, hours]) => ({
    country,
    sent: hours.reduce((sum, hour) => sum + hour.sent, 0),
    verified: hours.reduce((sum, hour) => sum + hour.verified, 0),
  }));
  sums.sort((a, b) => Number(a.country === "") - Number(b.country === "") || b.sent - a.sent);
  return html`<${Table}
    label="Sent and verified by country"
    columns=${columns}
    rows=${sums.map(({ country, sent, verified }) => {
      const name = formatCountry(country === "" ? null : country);
      return {
        key: country,
        cells: [
          html`<button type="button" class="link" aria-pressed=${chosen === country} onClick=${() => onChoose(country)}>
            ${name}
          </button>`,
          formatNumber(sent),
          formatNumber(verified),
          html`<span
            ><meter min="0" max=${Math.max(1, sent)} value=${verified} aria-label=${`Share of ${name}`}></meter>
            ${formatShare(verified, sent)}</span
          >`,
        ],
      };
    })}
  />`;
}
